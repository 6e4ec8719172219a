// SPDX-License-Identifier: Apache-2.0
#include "energy/hwmon_meter.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "fakes/clock.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

using fakes::FakeClock;

const std::string kFirstChip = "bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon1/";
const std::string kSecondChip = "bus/i2c/drivers/ina3221/1-0041/hwmon/hwmon2/";

class Hwmon : public testing::Test {
 protected:
  std::unique_ptr<HwmonMeter> meter() {
    options.root = tree.path();
    auto opened = open_hwmon_meter(options, clock);
    if (auto* meter = std::get_if<std::unique_ptr<HwmonMeter>>(&opened)) return std::move(*meter);
    throw std::runtime_error(std::get<Unavailable>(opened).why);
  }
  std::string why_not() {
    options.root = tree.path();
    const auto opened = open_hwmon_meter(options, clock);
    const auto* reason = std::get_if<Unavailable>(&opened);
    return reason == nullptr ? "there is a meter" : reason->why;
  }
  void rail(const std::string& chip, int channel, const std::string& label, int milliamperes) {
    const std::string number = std::to_string(channel);
    tree.write(chip + "in" + number + "_label", label + "\n");
    tree.write(chip + "in" + number + "_input", "5000\n");
    tree.write(chip + "curr" + number + "_input", std::to_string(milliamperes) + "\n");
  }
  void chip(const std::string& folder, const std::string& name) {
    tree.write("class/hwmon/" + folder + "/name", name + "\n");
  }
  void sensor(const std::string& file, int64_t value) {
    tree.write("class/hwmon/" + file, std::to_string(value) + "\n");
  }
  void pass(double seconds) { clock.pass(Seconds{seconds}); }

  TemporaryFolder tree;
  FakeClock clock;
  HwmonOptions options;
};

TEST_F(Hwmon, IntegratesTheRailOfTheWholeInputAlone) {
  rail(kFirstChip, 1, "VDD_IN", 1000);
  rail(kFirstChip, 2, "VDD_CPU_GPU_CV", 400);
  rail(kFirstChip, 3, "VDD_SOC", 300);
  const auto hwmon = meter();
  pass(2);
  rail(kFirstChip, 1, "VDD_IN", 2000);
  const EnergyReading reading = hwmon->read();
  EXPECT_DOUBLE_EQ(reading.energy.value, 15);
  EXPECT_EQ(reading.provenance, Provenance::Estimated);
  EXPECT_EQ(reading.source, "VDD_IN, power × time");
  ASSERT_EQ(hwmon->ignored().size(), 2U);
  EXPECT_EQ(hwmon->ignored()[0].why, "VDD_IN contains it");
  EXPECT_EQ(hwmon->coverage(), Coverage::Machine);
  EXPECT_TRUE(hwmon->needs_sampling());
}

TEST_F(Hwmon, SumsRailsThatDoNotOverlap) {
  rail(kFirstChip, 1, "VDD_GPU_SOC", 1000);
  rail(kFirstChip, 2, "VDD_CPU_CV", 400);
  rail(kFirstChip, 3, "VIN_SYS_5V0", 600);
  rail(kSecondChip, 1, "NC", 5000);
  rail(kSecondChip, 2, "VDDQ_VDD2_1V8AO", 100);
  // The kernel's sum of all channels.
  tree.write(kFirstChip + "in7_label", "sum of shunt voltages\n");
  tree.write(kFirstChip + "in7_input", "5000\n");
  const auto hwmon = meter();
  pass(1);
  const EnergyReading reading = hwmon->read();
  EXPECT_DOUBLE_EQ(reading.energy.value, 10);
  EXPECT_EQ(reading.source, "VDD_GPU_SOC + VDD_CPU_CV + VIN_SYS_5V0, power × time");
  ASSERT_EQ(hwmon->ignored().size(), 1U);
  EXPECT_EQ(hwmon->ignored()[0].why, "VIN_SYS_5V0 feeds it");
}

TEST_F(Hwmon, CountsAChipOnceThatTwoDriversList) {
  rail(kFirstChip, 1, "GPU", 1000);
  std::filesystem::create_directories(tree / "bus/i2c/drivers/ina3221x");
  std::filesystem::create_directory_symlink(tree / "bus/i2c/drivers/ina3221/1-0040",
                                            tree / "bus/i2c/drivers/ina3221x/1-0040");
  EXPECT_EQ(meter()->read().source, "GPU, power × time");
}

TEST_F(Hwmon, ReadsTheOlderLayoutOfJetson) {
  const std::string device = "bus/i2c/drivers/ina3221x/6-0040/iio:device0/";
  tree.write(device + "rail_name_0", "POM_5V_IN\n");
  tree.write(device + "in_power0_input", "2500\n");
  tree.write(device + "rail_name_1", "POM_5V_GPU\n");
  tree.write(device + "in_power1_input", "900\n");
  const auto hwmon = meter();
  pass(4);
  EXPECT_DOUBLE_EQ(hwmon->read().energy.value, 10);
}

TEST_F(Hwmon, TakesNegativeCurrentForNone) {
  rail(kFirstChip, 1, "CPU", -8);
  rail(kFirstChip, 2, "GPU", 1000);
  const auto hwmon = meter();
  pass(1);
  EXPECT_DOUBLE_EQ(hwmon->read().energy.value, 5);
}

TEST_F(Hwmon, FailsWhenASensorVanishesOrTurnsIntoGarbage) {
  rail(kFirstChip, 1, "VDD_IN", 1000);
  const auto hwmon = meter();
  pass(1);
  tree.remove(kFirstChip + "curr1_input");
  EXPECT_THROW(hwmon->read(), Error);
  tree.write(kFirstChip + "curr1_input", "nan\n");
  EXPECT_THROW(hwmon->read(), Error);
  rail(kFirstChip, 1, "VDD_IN", 1000);
  EXPECT_DOUBLE_EQ(hwmon->read().energy.value, 5);
}

TEST_F(Hwmon, IsUnavailableIfARailCannotBeReadFromTheStart) {
  rail(kFirstChip, 1, "VDD_IN", 1000);
  tree.write(kFirstChip + "in1_input", "-3\n");
  EXPECT_NE(why_not().find("in1_input"), std::string::npos);
}

TEST_F(Hwmon, MeasuresWithTheCountersOfSockets) {
  chip("hwmon0", "amd_energy");
  for (const auto& [channel, label] :
       {std::pair{1, "Ecore000"}, {2, "Ecore001"}, {3, "Esocket0"}, {4, "Esocket1"}}) {
    tree.write("class/hwmon/hwmon0/energy" + std::to_string(channel) + "_label", label);
    sensor("hwmon0/energy" + std::to_string(channel) + "_input", 1'000'000);
  }
  const auto hwmon = meter();
  pass(1);
  for (int i = 1; i <= 4; ++i) sensor("hwmon0/energy" + std::to_string(i) + "_input", 3'000'000);
  const EnergyReading reading = hwmon->read();
  EXPECT_DOUBLE_EQ(reading.energy.value, 4);
  EXPECT_EQ(reading.provenance, Provenance::Measured);
  EXPECT_EQ(reading.source, "amd_energy Esocket0 + amd_energy Esocket1");
  EXPECT_EQ(hwmon->coverage(), Coverage::Processors);
  EXPECT_FALSE(hwmon->needs_sampling());
  sensor("hwmon0/energy3_input", 5);
  EXPECT_THROW(hwmon->read(), Error);
}

TEST_F(Hwmon, PrefersAnAverageToAMoment) {
  chip("hwmon0", "power_meter");
  sensor("hwmon0/power1_input", 900'000'000);
  sensor("hwmon0/power1_average", 200'000'000);
  const auto hwmon = meter();
  pass(1);
  EXPECT_DOUBLE_EQ(hwmon->read().energy.value, 200);
  EXPECT_EQ(hwmon->coverage(), Coverage::Machine);
}

TEST_F(Hwmon, FindsTheFilesOfOlderDriversWithTheDevice) {
  tree.write("class/hwmon/hwmon0/device/name", "power_meter\n");
  sensor("hwmon0/device/power1_average", 30'000'000);
  const auto hwmon = meter();
  pass(2);
  EXPECT_DOUBLE_EQ(hwmon->read().energy.value, 60);
}

TEST_F(Hwmon, IgnoresChipsWhosePlaceIsNotKnown) {
  chip("hwmon0", "amdgpu");
  sensor("hwmon0/power1_average", 50'000'000);
  EXPECT_NE(why_not().find("hwmon0 (amdgpu)"), std::string::npos);
  chip("hwmon1", "power_meter");
  sensor("hwmon1/power1_average", 200'000'000);
  const auto hwmon = meter();
  EXPECT_EQ(hwmon->read().source, "power_meter power1, power × time");
  ASSERT_EQ(hwmon->ignored().size(), 1U);
  EXPECT_EQ(hwmon->ignored()[0].name, "hwmon0 (amdgpu)");
}

TEST_F(Hwmon, UsesATrustedChipBeforeAllOthersAndNothingElse) {
  rail(kFirstChip, 1, "VDD_IN", 1000);
  chip("hwmon0", "power_meter");
  sensor("hwmon0/power1_average", 200'000'000);
  chip("hwmon5", "ina238");
  sensor("hwmon5/power1_input", 60'000'000);
  options.trusted_chips = {"ina238"};
  const auto hwmon = meter();
  pass(1);
  EXPECT_DOUBLE_EQ(hwmon->read().energy.value, 60);
}

TEST_F(Hwmon, DoesNotSumDifferentChips) {
  for (const char* name : {"board", "socket"}) {
    chip(std::string("hwmon-") + name, name);
    sensor(std::string("hwmon-") + name + "/energy1_input", 0);
  }
  options.trusted_chips = {"board", "socket"};
  const auto hwmon = meter();
  EXPECT_EQ(hwmon->read().source, "board energy1");
  ASSERT_EQ(hwmon->ignored().size(), 1U);
  EXPECT_EQ(hwmon->ignored()[0].why, "board may contain it");
}

TEST_F(Hwmon, IsUnavailableWithoutSensors) {
  EXPECT_NE(why_not().find("no power or energy sensor"), std::string::npos);
}

}  // namespace
}  // namespace espalier
