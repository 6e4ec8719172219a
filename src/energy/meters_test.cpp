// SPDX-License-Identifier: Apache-2.0
// Meters made of other meters, of models, and what measures with them.
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/provenance.h"
#include "energy/combined_meter.h"
#include "energy/modelled_meter.h"
#include "energy/sampled_meter.h"
#include "energy/stopwatch.h"
#include "energy/system_clocks.h"
#include "fakes/clock.h"
#include "fakes/meter.h"

namespace espalier {
namespace {

using fakes::FakeClock;
using fakes::FakeMeter;

Device device() {
  return {.name = "d", .tdp = {50}, .idle = {10}, .peak = {1e12}, .efficiency = 0.5};
}

class LoadModel : public testing::Test {
 protected:
  FakeClock wall;
  FakeClock cpu;
  LoadModelMeter meter{device(), 4, {wall, cpu}};
};

TEST_F(LoadModel, CostsTheIdlePowerWhenNothingRuns) {
  EXPECT_EQ(meter.read().energy, Joules{});
  wall.pass(Seconds{3});
  const EnergyReading reading = meter.read();
  EXPECT_DOUBLE_EQ(reading.energy.value, 30);
  EXPECT_EQ(reading.provenance, Provenance::Modelled);
  EXPECT_EQ(reading.source, "d: 10 W + load × 40 W");
}

TEST_F(LoadModel, GrowsWithTheShareOfBusyProcessors) {
  wall.pass(Seconds{2});
  cpu.pass(Seconds{4});  // two of four processors
  EXPECT_DOUBLE_EQ(meter.read().energy.value, 60);
  wall.pass(Seconds{1});
  cpu.pass(Seconds{4});
  EXPECT_DOUBLE_EQ(meter.read().energy.value, 110);
}

TEST_F(LoadModel, NeverExceedsTheDevice) {
  wall.pass(Seconds{1});
  cpu.pass(Seconds{100});
  EXPECT_DOUBLE_EQ(meter.read().energy.value, 50);
}

TEST_F(LoadModel, KeepsWorkThatWasDoneWhileTheClockStoodStill) {
  cpu.pass(Seconds{4});
  EXPECT_EQ(meter.read().energy, Joules{});
  wall.pass(Seconds{1});
  EXPECT_DOUBLE_EQ(meter.read().energy.value, 50);
}

TEST(WorkModel, CostsItsWork) {
  WorkModelMeter meter(device());
  EXPECT_EQ(meter.read().energy, Joules{});
  meter.count({1e12});
  meter.count({5e11});
  const EnergyReading reading = meter.read();
  EXPECT_DOUBLE_EQ(reading.energy.value, 150);
  EXPECT_EQ(reading.provenance, Provenance::Modelled);
  EXPECT_EQ(reading.source, "d: counted work × 100 pJ/FLOP");
  EXPECT_THROW(meter.count({-1}), Error);
  EXPECT_DOUBLE_EQ(meter.read().energy.value, 150);
}

TEST(CombinedMeter, SumsAndIsAsWeakAsItsWeakestPart) {
  std::vector<std::unique_ptr<Meter>> parts;
  parts.push_back(
      std::make_unique<FakeMeter>(EnergyReading{{3}, Provenance::Measured, "processor"}));
  parts.push_back(std::make_unique<FakeMeter>(EnergyReading{{4}, Provenance::Estimated, "GPU"}));
  CombinedMeter meter(std::move(parts));
  const EnergyReading reading = meter.read();
  EXPECT_DOUBLE_EQ(reading.energy.value, 7);
  EXPECT_EQ(reading.provenance, Provenance::Estimated);
  EXPECT_EQ(reading.source, "processor + GPU");
}

TEST(CombinedMeter, FailsWithAnyOfItsParts) {
  auto broken = std::make_unique<FakeMeter>();
  broken->is_broken = true;
  std::vector<std::unique_ptr<Meter>> parts;
  parts.push_back(std::make_unique<FakeMeter>());
  parts.push_back(std::move(broken));
  CombinedMeter meter(std::move(parts));
  EXPECT_THROW(meter.read(), Error);
}

TEST(Provenance, HasAnOrderAndWords) {
  EXPECT_EQ(weaker(Provenance::Measured, Provenance::Modelled), Provenance::Modelled);
  EXPECT_EQ(weaker(Provenance::Estimated, Provenance::Measured), Provenance::Estimated);
  EXPECT_EQ(name_of(Provenance::Measured), "measured");
  EXPECT_EQ(name_of(Provenance::Estimated), "estimated");
  EXPECT_EQ(name_of(Provenance::Modelled), "modelled");
}

// Gives up after ten seconds, so that a fault fails the test instead of hanging it.
void wait_for_reads(const FakeMeter& meter, int more) {
  const int target = meter.reads + more;
  for (int i = 0; i < 10'000 && meter.reads < target; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_GE(meter.reads, target);
}

TEST(SampledMeter, ReadsByItself) {
  auto inner = std::make_unique<FakeMeter>();
  const FakeMeter& fake = *inner;
  const SampledMeter meter(std::move(inner), {1e-3});
  wait_for_reads(fake, 3);
}

TEST(SampledMeter, TellsOnceThatAReadInBetweenFailed) {
  auto inner = std::make_unique<FakeMeter>();
  FakeMeter& fake = *inner;
  SampledMeter meter(std::move(inner), {1e-3});
  fake.is_broken = true;
  wait_for_reads(fake, 2);
  fake.is_broken = false;
  EXPECT_THROW(meter.read(), Error);
  EXPECT_EQ(meter.read().source, "fake");
}

TEST(SampledMeter, EndsAtOnceHoweverLongItsInterval) {
  const auto start = std::chrono::steady_clock::now();
  { const SampledMeter meter(std::make_unique<FakeMeter>(), {3600}); }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Stopwatch, TellsEnergyAndTimeOfWork) {
  FakeMeter meter;
  FakeClock clock;
  meter.reading.energy = {100};
  const EnergyUse use = measure(meter, clock, [&] {
    meter.reading.energy = {142};
    clock.pass(Seconds{7});
  });
  EXPECT_DOUBLE_EQ(use.energy.value, 42);
  EXPECT_DOUBLE_EQ(use.time.value, 7);
  EXPECT_EQ(use.provenance, Provenance::Measured);
  EXPECT_EQ(use.source, "fake");
}

TEST(Stopwatch, IsAsWeakAsItsWeakerReading) {
  FakeMeter meter;
  FakeClock clock;
  const EnergyUse use =
      measure(meter, clock, [&] { meter.reading.provenance = Provenance::Estimated; });
  EXPECT_EQ(use.provenance, Provenance::Estimated);
}

TEST(Stopwatch, PassesOnWhatTheMeterThrows) {
  FakeMeter meter;
  FakeClock clock;
  EXPECT_THROW(measure(meter, clock, [&] { meter.is_broken = true; }), Error);
}

TEST(SystemClocks, GoOn) {
  const SteadyClock wall;
  const ProcessCpuClock cpu;
  const Seconds wall_start = wall.now();
  const Seconds cpu_start = cpu.now();
  while (cpu.now() - cpu_start < Seconds{2e-3}) {
  }
  EXPECT_GT(wall.now(), wall_start);
}

}  // namespace
}  // namespace espalier
