// SPDX-License-Identifier: Apache-2.0
#include "estimation/familiarity.h"

#include <gtest/gtest.h>

#include "estimation/synthetic_traces.h"

namespace espalier {
namespace {

Familiarity seen_two() {
  std::vector<TraceRow> rows;
  for (const double prune : {0.0, 0.5}) {
    for (int k = 0; k <= 39; ++k) {
      TraceRow row = trace_row(prune == 0 ? "a" : "b", k, 1.0 / (k + 1),
                               k == 0 ? TraceEvent::Start : TraceEvent::Epoch);
      row.prune = prune;
      row.samples = prune == 0 ? 45'000 : 5'000;
      row.classes = 10;
      rows.push_back(row);
    }
  }
  return familiar_with(tell_stories(rows).runs);
}

TEST(Familiarity, RemembersWhatWasSeen) {
  const Familiarity seen = seen_two();
  EXPECT_EQ(seen.prunes, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(seen.samples, (std::vector<double>{5'000, 45'000}));
  EXPECT_EQ(seen.longest_stage, 39);
}

TEST(Familiarity, WhatWasSeenIsNotWidened) {
  EXPECT_DOUBLE_EQ(strangeness(seen_two(), {0.5, 5'000, 10}, 39), 1);
}

TEST(Familiarity, RatiosNeverSeenAreWidenedByTheirDistance) {
  const double near = strangeness(seen_two(), {0.55, 5'000, 10}, 5);
  const double far = strangeness(seen_two(), {0.75, 5'000, 10}, 5);
  EXPECT_NEAR(near, 1.2, 1e-9);
  EXPECT_NEAR(far, 2, 1e-9);
  EXPECT_NEAR(strangeness_of_pruning(seen_two(), 0.75), 2, 1e-9);
}

TEST(Familiarity, EpochsNeverSeenAreWidened) {
  EXPECT_NEAR(strangeness(seen_two(), {0.5, 5'000, 10}, 79), 2, 1e-9);
}

TEST(Familiarity, SamplesAndClassesNeverSeenAreWidened) {
  EXPECT_NEAR(strangeness(seen_two(), {0.5, 180'000, 10}, 5), 2, 1e-9);
  EXPECT_NEAR(strangeness(seen_two(), {0.5, 5'000, 40}, 5), 2, 1e-9);
}

TEST(Familiarity, NothingKnownNothingWidened) {
  EXPECT_DOUBLE_EQ(strangeness({}, {0.5, 5'000, 10}, 500), 1);
}

}  // namespace
}  // namespace espalier
