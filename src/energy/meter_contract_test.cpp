// SPDX-License-Identifier: Apache-2.0
// What every meter promises, whatever it reads: it starts at nothing, never falls, counts each
// joule once, and says where its figures come from.
#include <functional>
#include <memory>
#include <ostream>

#include <gtest/gtest.h>

#include "energy/combined_meter.h"
#include "energy/hwmon_meter.h"
#include "energy/modelled_meter.h"
#include "energy/nvml_meter.h"
#include "energy/rapl_meter.h"
#include "energy/sampled_meter.h"
#include "fakes/clock.h"
#include "fakes/nvml_control.h"
#include "fakes/powercap.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

using fakes::FakeClock;
using fakes::FakePowercap;
using fakes::NvmlControl;

constexpr double kWatts = 40;

// A machine that draws 40 W, and every sensor of which says so.
class World {
 public:
  World() {
    powercap.add("intel-rapl:0", "package-0", 0);
    show();
  }
  void pass(double seconds) {
    wall.pass({seconds});
    cpu.pass({seconds});
    joules_ += seconds * kWatts;
    show();
  }

  FakeClock wall;
  FakeClock cpu;
  FakePowercap powercap;
  TemporaryFolder rails;
  TemporaryFolder counters;
  NvmlControl nvml;

 private:
  void show() {
    const auto microjoules = static_cast<uint64_t>(joules_ * 1e6);
    powercap.set("intel-rapl:0", microjoules % (FakePowercap::kRange + 1));
    const std::string chip = "bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon1/";
    rails.write(chip + "in1_label", "VDD_IN");
    rails.write(chip + "in1_input", "20000");
    rails.write(chip + "curr1_input", "2000");
    counters.write("class/hwmon/hwmon0/name", "amd_energy");
    counters.write("class/hwmon/hwmon0/energy1_label", "Esocket0");
    counters.write("class/hwmon/hwmon0/energy1_input", std::to_string(microjoules));
    nvml->gpus[0].millijoules = microjoules / 1000;
    nvml->gpus[0].milliwatts = 40'000;
  }
  double joules_ = 262'100;  // shortly before the first wrap
};

struct MeterCase {
  const char* name;
  Provenance provenance;
  double watts;
  std::function<std::unique_ptr<Meter>(World&)> make;

  friend std::ostream& operator<<(std::ostream& out, const MeterCase& meter) {
    return out << meter.name;
  }
};

template <class MeterType>
std::unique_ptr<Meter> opened(Opened<MeterType> result) {
  return std::get<std::unique_ptr<MeterType>>(std::move(result));
}

std::unique_ptr<Meter> rapl(World& world) {
  return opened(open_rapl_meter({.root = world.powercap.root()}, world.wall));
}

std::unique_ptr<Meter> rails(World& world) {
  return opened(open_hwmon_meter({.root = world.rails.path(), .trusted_chips = {}}, world.wall));
}

std::unique_ptr<Meter> counters(World& world) {
  return opened(open_hwmon_meter({.root = world.counters.path(), .trusted_chips = {}}, world.wall));
}

std::unique_ptr<Meter> gpu(World& world) {
  return opened(open_nvml_meter({.library = ESPALIER_FAKE_NVML, .gpus = {}}, world.wall));
}

std::unique_ptr<Meter> gpu_without_counter(World& world) {
  world.nvml->gpus[0].energy_code = 3;
  return gpu(world);
}

std::unique_ptr<Meter> model(World& world) {
  const Device device{.name = "d", .tdp = {kWatts}, .idle = {10}, .peak = {1e12}};
  return std::make_unique<LoadModelMeter>(device, 1, LoadModelMeter::Clocks{world.wall, world.cpu});
}

std::unique_ptr<Meter> combined(World& world) {
  std::vector<std::unique_ptr<Meter>> parts;
  parts.push_back(rapl(world));
  parts.push_back(gpu(world));
  return std::make_unique<CombinedMeter>(std::move(parts));
}

std::unique_ptr<Meter> sampled(World& world) {
  return std::make_unique<SampledMeter>(rapl(world), Seconds{3600});
}

class MeterContract : public testing::TestWithParam<MeterCase> {
 protected:
  World world;
  std::unique_ptr<Meter> meter = GetParam().make(world);
};

TEST_P(MeterContract, StartsAtNothing) { EXPECT_EQ(meter->read().energy, Joules{}); }

TEST_P(MeterContract, TellsWhereItsFiguresComeFrom) {
  const EnergyReading reading = meter->read();
  EXPECT_EQ(reading.provenance, GetParam().provenance);
  EXPECT_NE(reading.source, "");
}

TEST_P(MeterContract, CountsEachJouleOnceHoweverOftenItIsRead) {
  double elapsed = 0;
  Joules before{};
  for (const double step : {0.5, 1.0, 0.0, 0.25, 60.0, 0.0, 7.0, 1000.0}) {
    world.pass(step);
    elapsed += step;
    const Joules now = meter->read().energy;
    EXPECT_GE(now, before);
    EXPECT_NEAR(now.value, elapsed * GetParam().watts, 0.01);
    EXPECT_EQ(meter->read().energy, now);
    before = now;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, MeterContract,
    testing::Values(MeterCase{"Rapl", Provenance::Measured, kWatts, rapl},
                    MeterCase{"Rails", Provenance::Estimated, kWatts, rails},
                    MeterCase{"Counters", Provenance::Measured, kWatts, counters},
                    MeterCase{"Gpu", Provenance::Measured, kWatts, gpu},
                    MeterCase{"GpuWithoutCounter", Provenance::Estimated, kWatts,
                              gpu_without_counter},
                    MeterCase{"Model", Provenance::Modelled, kWatts, model},
                    MeterCase{"Combined", Provenance::Measured, 2 * kWatts, combined},
                    MeterCase{"Sampled", Provenance::Measured, kWatts, sampled}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace espalier
