// SPDX-License-Identifier: Apache-2.0
#include "energy/meter_choice.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "fakes/clock.h"
#include "fakes/nvml_control.h"
#include "fakes/powercap.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace espalier {
namespace {

using fakes::FakeClock;
using fakes::FakePowercap;
using fakes::NvmlControl;

// A machine of four processors that has nothing to measure with, until a test adds it.
class Choice : public testing::Test {
 protected:
  Choice() {
    options.rapl.root = powercap.root();
    options.hwmon.root = folder / "sys";
    options.local.proc = folder / "proc";
    options.nvml.library = folder / "libnvidia-ml.so.1";
    options.sampling_interval = {0};
    for (int i = 0; i < 4; ++i) {
      cpuinfo += "processor\t: " + std::to_string(i) + "\nmodel name\t: Strange 1\n\n";
    }
    folder.write("proc/cpuinfo", cpuinfo);
  }
  MeterChoice choose() { return choose_meter(options, {wall, cpu}); }

  void add_rapl() { powercap.add("intel-rapl:0", "package-0", 0); }
  void add_gpu() { options.nvml.library = ESPALIER_FAKE_NVML; }
  void add_board() {
    const std::string chip = "sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon1/";
    folder.write(chip + "in1_label", "VDD_IN");
    folder.write(chip + "in1_input", "5000");
    folder.write(chip + "curr1_input", "1000");
  }
  void add_socket_counter() {
    folder.write("sys/class/hwmon/hwmon0/name", "amd_energy");
    folder.write("sys/class/hwmon/hwmon0/energy1_label", "Esocket0");
    folder.write("sys/class/hwmon/hwmon0/energy1_input", "0");
  }

  FakePowercap powercap;
  TemporaryFolder folder;
  NvmlControl nvml;
  FakeClock wall;
  FakeClock cpu;
  MeterOptions options;
  std::string cpuinfo;
};

std::string why_not(const MeterChoice& choice, const std::string& meter) {
  for (const NotUsed& other : choice.not_used) {
    if (other.meter == meter) return other.why;
  }
  return "";
}

TEST_F(Choice, PrefersRapl) {
  add_rapl();
  add_board();
  const MeterChoice choice = choose();
  EXPECT_EQ(choice.chosen, "RAPL package-0 (measured)");
  EXPECT_EQ(choice.how, "");
  EXPECT_EQ(why_not(choice, "board sensors"), "RAPL counts the processors already");
  EXPECT_TRUE(contains(why_not(choice, "NVML"), "cannot be loaded"));
  wall.pass(Seconds{1});
  powercap.set("intel-rapl:0", 5'000'000);
  EXPECT_DOUBLE_EQ(choice.meter->read().energy.value, 5);
}

TEST_F(Choice, AddsTheGpu) {
  add_rapl();
  add_gpu();
  const MeterChoice choice = choose();
  EXPECT_EQ(choice.chosen, "RAPL package-0 + NVML GPU 0 (Fake T4) (measured)");
  wall.pass(Seconds{1});
  powercap.set("intel-rapl:0", 5'000'000);
  nvml->gpus[0].millijoules = 70'000;
  EXPECT_DOUBLE_EQ(choice.meter->read().energy.value, 75);
}

TEST_F(Choice, DoesNotAddAGpuThatTheBoardContains) {
  add_board();
  add_gpu();
  const MeterChoice choice = choose();
  EXPECT_EQ(choice.chosen, "VDD_IN, power × time (estimated)");
  EXPECT_TRUE(contains(why_not(choice, "NVML"), "contains the GPU already"));
  EXPECT_TRUE(contains(why_not(choice, "RAPL"), "no processor package"));
}

TEST_F(Choice, AddsTheGpuToTheCountersOfSockets) {
  add_socket_counter();
  add_gpu();
  EXPECT_EQ(choose().chosen, "amd_energy Esocket0 + NVML GPU 0 (Fake T4) (measured)");
}

TEST_F(Choice, ModelsWhatCannotBeMeasured) {
  const MeterChoice choice = choose();
  EXPECT_EQ(choice.chosen, "generic-processor: 3.2 W + load × 10.8 W (modelled)");
  EXPECT_TRUE(contains(choice.how, "'Strange 1' is not in the catalogue"));
  EXPECT_EQ(choice.not_used.size(), 3U);
  wall.pass(Seconds{1});
  cpu.pass(Seconds{2});
  EXPECT_DOUBLE_EQ(choice.meter->read().energy.value, 8.6);
}

TEST_F(Choice, IsModelledAsAWholeIfItsProcessorIs) {
  add_gpu();
  EXPECT_EQ(choose().chosen,
            "generic-processor: 3.2 W + load × 10.8 W + NVML GPU 0 (Fake T4) (modelled)");
}

TEST_F(Choice, ModelsTheDeviceAskedForAndNoSecondGpu) {
  options.modelled_device = "jetson-nano";
  add_gpu();
  const MeterChoice choice = choose();
  EXPECT_EQ(choice.chosen, "jetson-nano: 1.5 W + load × 8.5 W (modelled)");
  EXPECT_TRUE(contains(why_not(choice, "NVML"), "contains the GPU already"));
}

TEST_F(Choice, RefusesAnUnknownDeviceEvenIfItNeedsNone) {
  add_rapl();
  options.modelled_device = "jetson-nanno";
  EXPECT_THROW(choose(), Error);
}

TEST_F(Choice, ExplainsItselfInOneSentence) {
  add_rapl();
  powercap.add("intel-rapl:0:0", "core", 0);
  options.nvml.library = "libm.so.6";
  EXPECT_EQ(explain(choose()),
            "energy from RAPL package-0 (measured); not used: RAPL intel-rapl:0:0 (it is a part of "
            "its package), board sensors (RAPL counts the processors already), NVML (libm.so.6 has "
            "no function nvmlInit_v2)");
}

TEST_F(Choice, SamplesPowerWhereThereIsNoCounter) {
  add_board();
  options.sampling_interval = {1e-3};
  const MeterChoice choice = choose();
  wall.pass(Seconds{1});
  EXPECT_DOUBLE_EQ(choice.meter->read().energy.value, 5);
}

}  // namespace
}  // namespace espalier
