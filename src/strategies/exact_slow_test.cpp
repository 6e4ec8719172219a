// SPDX-License-Identifier: Apache-2.0
#include "strategies/exact.h"

#include <gtest/gtest.h>

#include "support/oracle.h"
#include "support/replanning.h"

namespace espalier {
namespace {

TEST(ExactSlow, EqualsBruteForceOnThousandsOfRandomScenarios) {
  const support::OracleCounts counts = support::expect_equals_brute_force(exact_strategy(), 600, 6);
  RecordProperty("optimal", counts.optimal);
  RecordProperty("infeasible", counts.infeasible);
  std::printf("equal to brute force on %d feasible and %d infeasible scenarios\n", counts.optimal,
              counts.infeasible);
  EXPECT_GE(counts.optimal + counts.infeasible, 2000);
}

TEST(ExactSlow, ReplansLongPlansAsWellAsFromScratch) {
  const support::ReplanCounts counts = support::expect_replans_like_fresh_planners(100, 70);
  std::printf("equal to planning afresh: %d optimal, %d of them long, %d infeasible\n",
              counts.optimal, counts.long_plans, counts.infeasible);
  EXPECT_GE(counts.optimal, 200);
  EXPECT_GE(counts.long_plans, 50);
}

}  // namespace
}  // namespace espalier
