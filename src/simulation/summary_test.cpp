// SPDX-License-Identifier: Apache-2.0
#include "simulation/summary.h"

#include <cmath>

#include <gtest/gtest.h>

namespace espalier {
namespace {

RunRecord run_of(double energy, RunEnd end) {
  RunRecord record;
  record.course.steps.push_back({{0}, Loss{0.1}, Seconds{2 * energy}, Joules{energy}});
  record.end = end;
  record.switches = 1;
  record.notes = {{"fell back", 2}};
  return record;
}

// Known values: closed forms where a or b is 1, R's qbeta elsewhere.
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

TEST(Spread, InterpolatesBetweenNeighbours) {
  const Spread spread = spread_of({3, 1, 2, 5, 4});
  EXPECT_DOUBLE_EQ(spread.mean, 3);
  EXPECT_DOUBLE_EQ(spread.p50, 3);
  EXPECT_DOUBLE_EQ(spread.p05, 1.2);
  EXPECT_DOUBLE_EQ(spread.p95, 4.8);
}

TEST(Summarise, CountsMissedRunsInEveryFigure) {
  const std::vector<RunRecord> records{run_of(1, RunEnd::Reached),
                                       run_of(3, RunEnd::DeadlinePassed)};
  const SimulationSummary summary = summarise(records, Luck::Drawn);
  EXPECT_EQ(summary.runs, 2U);
  EXPECT_EQ(summary.reached, 1U);
  EXPECT_DOUBLE_EQ(summary.energy.mean, 2);
  EXPECT_DOUBLE_EQ(summary.time.mean, 4);
  EXPECT_EQ(summary.energy_when_reached, 1);
  EXPECT_DOUBLE_EQ(summary.switches_mean, 1);
  ASSERT_EQ(summary.notes.size(), 1U);
  EXPECT_EQ(summary.notes[0].count, 4);
}

TEST(Summarise, IsCertainWithoutLuck) {
  const std::vector<RunRecord> records{run_of(1, RunEnd::Reached)};
  const Interval interval = summarise(records, Luck::None).probability_interval;
  EXPECT_EQ(interval.low, 1);
  EXPECT_EQ(interval.high, 1);
}

}  // namespace
}  // namespace espalier
