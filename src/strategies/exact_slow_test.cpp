// SPDX-License-Identifier: Apache-2.0
#include "strategies/exact.h"

#include <gtest/gtest.h>

#include "support/oracle.h"

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

}  // namespace
}  // namespace espalier
