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
