// SPDX-License-Identifier: Apache-2.0
#include "energy/energy_counter.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "energy/power_integral.h"

namespace espalier {
namespace {

CounterTraits traits(std::optional<uint64_t> range) {
  return {.name = "counter", .joules_per_count = 1e-6, .range = range, .most_power = {1000}};
}

TEST(EnergyCounter, AddsUpSteps) {
  EnergyCounter counter(traits(10'000'000), {1'000'000, {0}});
  counter.advance({3'000'000, {1}});
  counter.advance({3'500'000, {2}});
  EXPECT_DOUBLE_EQ(counter.total().value, 2.5);
}

TEST(EnergyCounter, GoesOnAcrossAWrap) {
  EnergyCounter counter(traits(10'000'000), {9'000'000, {0}});
  counter.advance({2'000'000, {1}});
  EXPECT_DOUBLE_EQ(counter.total().value, 3);
}

TEST(EnergyCounter, RefusesAFallWithoutARangeAndGoesOnFromThere) {
  for (const auto range : {std::optional<uint64_t>(), std::optional<uint64_t>(0)}) {
    EnergyCounter counter(traits(range), {9'000'000, {0}});
    EXPECT_THROW(counter.advance({2'000'000, {1}}), Error);
    counter.advance({3'000'000, {2}});
    EXPECT_DOUBLE_EQ(counter.total().value, 1);
  }
}

TEST(EnergyCounter, RefusesACountAboveItsRangeAndForgetsIt) {
  EnergyCounter counter(traits(10'000'000), {9'000'000, {0}});
  EXPECT_THROW(counter.advance({10'000'001, {1}}), Error);
  counter.advance({9'500'000, {2}});
  EXPECT_DOUBLE_EQ(counter.total().value, 0.5);
}

TEST(EnergyCounter, DoesNotBelieveARangeThatItIsAboveOfAlready) {
  EnergyCounter counter(traits(5), {9'000'000, {0}});
  counter.advance({9'500'000, {1}});
  EXPECT_DOUBLE_EQ(counter.total().value, 0.5);
  EXPECT_FALSE(counter.longest_safe_interval());
}

TEST(EnergyCounter, TakesAnImpossiblePowerForAReset) {
  EnergyCounter counter(traits(262'143'000'000), {5'000'000'000, {0}});
  // A reset to zero looks like a wrap, of 257 kJ within a second.
  EXPECT_THROW(counter.advance({0, {1}}), Error);
  counter.advance({100'000'000, {2}});
  EXPECT_DOUBLE_EQ(counter.total().value, 100);
}

TEST(EnergyCounter, TellsHowLongItMayGoUnread) {
  const EnergyCounter counter(traits(65'000'000'000), {0, {0}});
  EXPECT_DOUBLE_EQ(counter.longest_safe_interval()->value, 65);
}

TEST(EnergyCounter, NeverOverflows) {
  CounterTraits limitless = traits(std::nullopt);
  limitless.most_power = Watts::infinite();
  EnergyCounter counter(limitless, {0, {0}});
  counter.advance({~uint64_t{0}, {1}});
  const Joules before = counter.total();
  EXPECT_THROW(counter.advance({5, {2}}), Error);
  EXPECT_THROW(counter.advance({100, {3}}), Error);
  EXPECT_EQ(counter.total(), before);
}

TEST(PowerIntegral, FollowsTheTrapezoidRule) {
  PowerIntegral integral;
  integral.add({10}, {4});
  EXPECT_EQ(integral.total(), Joules{});
  integral.add({12}, {8});
  EXPECT_DOUBLE_EQ(integral.total().value, 12);
  integral.add({13}, {0});
  EXPECT_DOUBLE_EQ(integral.total().value, 16);
}

TEST(PowerIntegral, AddsNothingWhenTimeDoesNotGoOn) {
  PowerIntegral integral;
  integral.add({10}, {4});
  integral.add({10}, {400});
  integral.add({9}, {4});
  EXPECT_EQ(integral.total(), Joules{});
}

TEST(PowerIntegral, RefusesNegativePower) {
  PowerIntegral integral;
  EXPECT_THROW(integral.add({0}, {-1}), Error);
}

}  // namespace
}  // namespace espalier
