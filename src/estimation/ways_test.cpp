// SPDX-License-Identifier: Apache-2.0
#include "estimation/ways.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace espalier {
namespace {

LossesAhead falling_ranges(std::size_t epochs) {
  LossesAhead ranges;
  for (std::size_t h = 1; h <= epochs; ++h) {
    const double mean = 1.0 / static_cast<double>(h + 1);
    ranges.push_back({mean - 0.02, mean, mean + 0.05});
  }
  return ranges;
}

TEST(Ways, NeverRise) {
  for (const auto& way : ways_ahead(falling_ranges(60), 0.6, {.count = 50})) {
    EXPECT_LE(way.front(), 0.6);
    EXPECT_TRUE(std::is_sorted(way.rbegin(), way.rend()));
  }
}

TEST(Ways, AreDistributedAsTheRangesSay) {
  const LossesAhead ranges = falling_ranges(3);
  const auto ways = ways_ahead(ranges, 1, {.count = 20'000});
  const auto share = [&](auto is_so) {
    return static_cast<double>(std::count_if(ways.begin(), ways.end(), is_so)) / 20'000;
  };
  // Steep enough that no way would rise.
  EXPECT_NEAR(share([&](const auto& way) { return way[0] > ranges[0].high; }), 0.05, 0.006);
  EXPECT_NEAR(share([&](const auto& way) { return way[0] < ranges[0].low; }), 0.05, 0.006);
  EXPECT_NEAR(share([&](const auto& way) { return way[2] > ranges[2].high; }), 0.05, 0.006);
}

TEST(Ways, LuckLastsTheLongerTheLessItFades) {
  const LossesAhead ranges = falling_ranges(40);
  const auto stays = [&](double fading) {
    int same = 0;
    for (const auto& way : ways_ahead(ranges, 1, {.count = 2'000, .fading = fading})) {
      same += (way[4] > ranges[4].mean) == (way[39] > ranges[39].mean) ? 1 : 0;
    }
    return same;
  };
  EXPECT_GT(stays(0.05), stays(1) + 200);
}

TEST(Ways, TheSameLuckInDifferentEnsembles) {
  const auto ways = ways_ahead(falling_ranges(10), 1, {.count = 5});
  LossesAhead lower = falling_ranges(10);
  for (LossRange& range : lower) range = {range.low / 2, range.mean / 2, range.high / 2};
  const auto others = ways_ahead(lower, 1, {.count = 5});
  for (std::size_t i = 0; i < ways.size(); ++i) EXPECT_DOUBLE_EQ(others[i][0], ways[i][0] / 2);
}

}  // namespace
}  // namespace espalier
