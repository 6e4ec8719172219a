// SPDX-License-Identifier: Apache-2.0
#include "energy/nvml_meter.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "fakes/clock.h"
#include "fakes/nvml_control.h"

namespace espalier {
namespace {

using fakes::FakeClock;
using fakes::NvmlControl;

constexpr int kNotSupported = 3;
constexpr int kLost = 15;

class Nvml : public testing::Test {
 protected:
  std::unique_ptr<NvmlMeter> meter() {
    auto opened = open_nvml_meter(options, clock);
    if (auto* meter = std::get_if<std::unique_ptr<NvmlMeter>>(&opened)) return std::move(*meter);
    throw std::runtime_error(std::get<Unavailable>(opened).why);
  }
  std::string why_not() {
    const auto opened = open_nvml_meter(options, clock);
    const auto* reason = std::get_if<Unavailable>(&opened);
    return reason == nullptr ? "there is a meter" : reason->why;
  }
  void pass(double seconds) { clock.pass(Seconds{seconds}); }
  FakeGpu& gpu(int index) { return fake->gpus[index]; }

  NvmlControl fake;
  FakeClock clock;
  NvmlOptions options{.library = ESPALIER_FAKE_NVML, .gpus = {}};
};

TEST_F(Nvml, CountsWithTheCounterOfTheGpu) {
  gpu(0).millijoules = 5'000;
  const auto nvml = meter();
  EXPECT_EQ(nvml->read().energy, Joules{});
  pass(1);
  gpu(0).millijoules = 47'500;
  const EnergyReading reading = nvml->read();
  EXPECT_DOUBLE_EQ(reading.energy.value, 42.5);
  EXPECT_EQ(reading.provenance, Provenance::Measured);
  EXPECT_EQ(reading.source, "NVML GPU 0 (Fake T4)");
  EXPECT_FALSE(nvml->needs_sampling());
}

TEST_F(Nvml, IntegratesPowerWhereThereIsNoCounter) {
  gpu(0).energy_code = kNotSupported;
  gpu(0).milliwatts = 20'000;
  const auto nvml = meter();
  pass(2);
  gpu(0).milliwatts = 60'000;
  const EnergyReading reading = nvml->read();
  EXPECT_DOUBLE_EQ(reading.energy.value, 80);
  EXPECT_EQ(reading.provenance, Provenance::Estimated);
  EXPECT_EQ(reading.source, "NVML GPU 0 (Fake T4) power × time");
  EXPECT_TRUE(nvml->needs_sampling());
}

TEST_F(Nvml, IsNoMoreThanEstimatedIfOneOfSeveralHasNoCounter) {
  fake->gpu_count = 2;
  gpu(1).energy_code = kNotSupported;
  gpu(1).milliwatts = 10'000;
  const auto nvml = meter();
  pass(1);
  gpu(0).millijoules = 5'000;
  const EnergyReading reading = nvml->read();
  EXPECT_DOUBLE_EQ(reading.energy.value, 15);
  EXPECT_EQ(reading.provenance, Provenance::Estimated);
}

TEST_F(Nvml, CountsOnlyTheGpusAskedForAndEachOnce) {
  fake->gpu_count = 3;
  options.gpus = {2, 2};
  const auto nvml = meter();
  pass(1);
  for (int i = 0; i < 3; ++i) gpu(i).millijoules = 1'000;
  EXPECT_DOUBLE_EQ(nvml->read().energy.value, 1);
}

TEST_F(Nvml, LeavesOutAGpuThatTellsNothingButNotOneAskedFor) {
  fake->gpu_count = 2;
  gpu(1).energy_code = gpu(1).power_code = kNotSupported;
  const auto nvml = meter();
  EXPECT_EQ(nvml->read().source, "NVML GPU 0 (Fake T4)");
  ASSERT_EQ(nvml->ignored().size(), 1U);
  EXPECT_EQ(nvml->ignored()[0].why, "energy: not supported, power: not supported");
  options.gpus = {0, 1};
  EXPECT_NE(why_not().find("GPU 1"), std::string::npos);
  options.gpus = {0, 7};
  EXPECT_NE(why_not().find("GPU 7"), std::string::npos);
}

TEST_F(Nvml, FailsWhenAGpuIsLostAndGoesOnWhenItComesBack) {
  const auto nvml = meter();
  pass(1);
  gpu(0).millijoules = 1'000;
  gpu(0).energy_code = kLost;
  EXPECT_THROW(nvml->read(), Error);
  gpu(0).energy_code = 0;
  EXPECT_DOUBLE_EQ(nvml->read().energy.value, 1);
}

TEST_F(Nvml, FailsWhenTheDriverWasLoadedAgain) {
  gpu(0).millijoules = 9'000;
  const auto nvml = meter();
  pass(1);
  gpu(0).millijoules = 10;
  EXPECT_THROW(nvml->read(), Error);
  EXPECT_EQ(nvml->read().energy, Joules{});
}

TEST_F(Nvml, SaysWhyItIsUnavailable) {
  fake->gpu_count = 0;
  EXPECT_EQ(why_not(), "NVML lists no GPU");
  fake->init_code = 9;
  EXPECT_NE(why_not().find("the driver is not loaded"), std::string::npos);
  options.library = "/nowhere/libnvidia-ml.so.1";
  EXPECT_NE(why_not().find("cannot be loaded"), std::string::npos);
}

TEST_F(Nvml, SaysWhichFunctionAnOldLibraryLacks) {
  options.library = "libm.so.6";
  EXPECT_EQ(why_not(), "libm.so.6 has no function nvmlInit_v2");
}

TEST_F(Nvml, ShutsTheLibraryDown) {
  {
    const auto nvml = meter();
    EXPECT_EQ(fake->users, 1);
  }
  EXPECT_EQ(fake->users, 0);
  fake->gpu_count = 0;
  why_not();
  EXPECT_EQ(fake->users, 0);
}

}  // namespace
}  // namespace espalier
