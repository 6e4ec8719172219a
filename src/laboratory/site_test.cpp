// SPDX-License-Identifier: Apache-2.0
#include "laboratory/site.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "energy/device_catalogue.h"

namespace espalier {
namespace {

const Work kWork{{1e12}, {3e12}};
const Watched kWatched{{2}, {{30}, {7}, Provenance::Measured, "a meter"}};

TEST(Site, OnThisMachineTellsWhatWasWatched) {
  for (const char* name : {"", "local"}) {
    const StepCost cost = Site(name).cost_of(kWork, kWatched);
    EXPECT_EQ(cost.time, Seconds{2});
    EXPECT_EQ(cost.energy, Joules{30});
    EXPECT_EQ(cost.provenance, Provenance::Measured);
    EXPECT_EQ(cost.source, "a meter");
  }
}

TEST(Site, OfADeviceIsAsSlowAsItsBusiestMemberAndPaysForAll) {
  const Device& device = find_device("jetson-nano");
  const StepCost cost = Site("jetson-nano").cost_of(kWork, kWatched);
  EXPECT_DOUBLE_EQ(cost.time.value, cost_of(device, kWork.busiest).time.value);
  EXPECT_DOUBLE_EQ(cost.energy.value, cost_of(device, kWork.all).energy.value);
  EXPECT_EQ(cost.provenance, Provenance::Modelled);
}

TEST(Site, ReceivesOverTheSlowerLink) {
  const Device& board = find_device("raspberry-pi-4");
  const Device& gpu = find_device("a100-sxm");
  ASSERT_LT(board.link.rate, gpu.link.rate);
  const double expected = 1e9 / board.link.rate.value;
  EXPECT_DOUBLE_EQ(Site("raspberry-pi-4").arrival(1'000'000'000, Site("a100-sxm")).time.value,
                   expected);
  EXPECT_DOUBLE_EQ(Site("a100-sxm").arrival(1'000'000'000, Site("raspberry-pi-4")).time.value,
                   expected);
  EXPECT_DOUBLE_EQ(Site("").arrival(1'000'000'000, Site("raspberry-pi-4")).time.value, expected);
}

TEST(Site, SendsNothingWithinOneMachine) {
  const StepCost cost = Site("").arrival(1'000'000, Site("local"));
  EXPECT_EQ(cost.time, Seconds{});
  EXPECT_TRUE(cost.source.empty());
}

TEST(Site, OfAnUnknownDeviceIsAnError) { EXPECT_THROW(Site("jetson-nan"), Error); }

}  // namespace
}  // namespace espalier
