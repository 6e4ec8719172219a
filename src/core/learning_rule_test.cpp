// SPDX-License-Identifier: Apache-2.0
#include "core/learning_rule.h"

#include <cmath>

#include <gtest/gtest.h>

namespace espalier {
namespace {

constexpr double kCeiling = 5;

const LearningRule kRules[] = {
    LearningRule(PowerRule{0.08, 0.02, 1.4}),
    LearningRule(PowerRule{0.3, 0.1, 1}),
    LearningRule(PowerRule{0.2, 0, 0.5}),
    LearningRule(PowerRule{0.1, 0.2, 0}),
    LearningRule(PowerRule{2, 0.3, 1}),
    LearningRule(PowerRule{0.08, 0.02, 1.4}, 0.6),
    LearningRule(StepsRule{{-0.4, -0.2, 0.1}}),
    LearningRule(CurveRule{{2.0, 1.2, 0.9, 0.85}}),
    LearningRule(CurveRule{{2.0, 1.2, 0.9, 0.85}}, 0.5),
};

TEST(LearningRule, PowerFollowsItsFormula) {
  const LearningRule rule(PowerRule{0.08, 0.02, 1.4});
  EXPECT_DOUBLE_EQ(rule.next(1, 2.3), 2.3 - 0.08 * std::pow(2.28, 1.4));
  EXPECT_DOUBLE_EQ(rule.next(7, 0.02), 0.02);
  EXPECT_DOUBLE_EQ(rule.next(7, 0.01), 0.01);
}

TEST(LearningRule, PowerNeverPassesItsFloor) {
  const LearningRule rule(PowerRule{2, 0.3, 1});
  EXPECT_DOUBLE_EQ(rule.next(1, 1.0), 0.3);
  EXPECT_DOUBLE_EQ(rule.next(1, 1.0, 50), 0.3);
}

TEST(LearningRule, StepsDependOnTheEpochAndEnd) {
  const LearningRule rule(StepsRule{{-0.4, -0.2}});
  EXPECT_DOUBLE_EQ(rule.next(1, 1.0), 0.6);
  EXPECT_DOUBLE_EQ(rule.next(2, 1.0), 0.8);
  EXPECT_DOUBLE_EQ(rule.next(3, 1.0), 1.0);
  EXPECT_DOUBLE_EQ(rule.next(1, 0.1), 0.0);
  EXPECT_EQ(rule.last_special_epoch(), 2);
}

TEST(LearningRule, CurveGoesOneEpochFurtherAlongItself) {
  const LearningRule rule(CurveRule{{2.0, 1.2, 0.9, 0.85}});
  EXPECT_DOUBLE_EQ(rule.next(1, 2.0), 1.2);
  EXPECT_DOUBLE_EQ(rule.next(1, 1.6), 1.05);
  EXPECT_DOUBLE_EQ(rule.next(1, 3.0), 2.2);
  EXPECT_DOUBLE_EQ(rule.next(1, 0.9), 0.85);
  EXPECT_DOUBLE_EQ(rule.next(1, 0.87), 0.85);
  EXPECT_DOUBLE_EQ(rule.next(1, 0.5), 0.5);
}

TEST(LearningRule, NeverDecreasesWithTheLoss) {
  for (const LearningRule& rule : kRules) {
    ASSERT_GE(rule.monotone_up_to(), kCeiling);
    for (double loss = 0; loss + 0.01 < kCeiling; loss += 0.01) {
      EXPECT_LE(rule.next(1, loss), rule.next(1, loss + 0.01) + 1e-12) << loss;
    }
  }
}

TEST(LearningRule, TellsWhereAPowerAboveOneStopsBeingMonotone) {
  const LearningRule rule(PowerRule{0.5, 0.1, 2});
  EXPECT_NEAR(rule.monotone_up_to(), 0.1 + 1.0, 1e-12);
}

TEST(LearningRule, InverseIsTheLargestLossThatStillLandsBelow) {
  for (const LearningRule& rule : kRules) {
    for (double loss = 0.01; loss < 3; loss += 0.037) {
      const double before = rule.largest_before(2, loss, kCeiling);
      if (before < 0) continue;
      EXPECT_LE(rule.next(2, before * (1 - 1e-9)), loss + 1e-9);
      if (before < kCeiling) {
        EXPECT_GT(rule.next(2, before * (1 + 1e-6) + 1e-9), loss);
      }
    }
  }
}

TEST(NormalQuantile, MatchesTables) {
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-12);
  EXPECT_NEAR(normal_quantile(0.95), 1.6448536269514722, 1e-12);
  EXPECT_NEAR(normal_quantile(0.05), -1.6448536269514722, 1e-12);
  EXPECT_NEAR(normal_quantile(0.999), 3.0902323061678132, 1e-10);
}

TEST(LognormalQuantile, HasMeanOneBetweenItsQuantiles) {
  EXPECT_EQ(lognormal_quantile(0, 0.05), 1);
  EXPECT_NEAR(lognormal_quantile(0.3, 0.05), std::exp(-0.3 * 1.6448536269514722 - 0.045), 1e-12);
}

}  // namespace
}  // namespace espalier
