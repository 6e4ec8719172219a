// SPDX-License-Identifier: Apache-2.0
#include "realisations/confidence.h"

#include <cmath>

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(BetaQuantile, MatchesKnownValues) {
  EXPECT_NEAR(beta_quantile(1, 1, 0.3), 0.3, 1e-12);
  EXPECT_NEAR(beta_quantile(1, 10, 0.95), 1 - std::pow(0.05, 0.1), 1e-12);
  EXPECT_NEAR(beta_quantile(20, 1, 0.05), std::pow(0.05, 1.0 / 20), 1e-12);
  EXPECT_NEAR(beta_quantile(2, 3, 0.5), 0.385727568, 1e-9);
}

TEST(ClopperPearson, MatchesKnownIntervals) {
  const Interval all = clopper_pearson(10, 10);
  EXPECT_NEAR(all.low, std::pow(0.025, 0.1), 1e-12);
  EXPECT_EQ(all.high, 1);
  const Interval none = clopper_pearson(0, 10);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 1 - std::pow(0.025, 0.1), 1e-12);
  // R: binom.test(95, 100)$conf.int
  const Interval most = clopper_pearson(95, 100);
  EXPECT_NEAR(most.low, 0.8871651, 1e-7);
  EXPECT_NEAR(most.high, 0.9835681, 1e-7);
}

TEST(ClopperPearson, CopesWithManyTrials) {
  const Interval interval = clopper_pearson(500'000, 1'000'000);
  EXPECT_NEAR(interval.low, 0.49902, 1e-5);
  EXPECT_NEAR(interval.high, 0.50098, 1e-5);
}

}  // namespace
}  // namespace espalier
