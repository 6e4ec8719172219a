// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "estimation/random_estimators.h"
#include "evidence/estimator_accuracy.h"
#include "evidence/evidence_fixtures.h"
#include "evidence/replay_accuracy.h"

namespace espalier {
namespace {

// Gold falls from 4 by 0.1; after 5, 10 and 15 epochs half is pruned and goes to silver, where the
// loss falls by 0.2 from `arrival(epoch)`.
template <class Arrival>
std::vector<TraceRow> three_changes(Arrival arrival) {
  std::vector<TraceRow> rows;
  const std::string gold = first_run_id(1, "gold");
  add_stage(rows, gold, {4, 0.1}, kExampleLength);
  for (const int after : {5, 10, 15}) {
    const std::string silver = handed_over_run_id(pruned_run_id(gold, after, 0.5), "silver");
    add_stage(rows, silver, {arrival(after), 0.2}, kExampleLength);
  }
  return rows;
}

TEST(MeasureReplay, IsExactBetweenLines) {
  const auto rows = three_changes([](int after) { return 6 - 0.1 * after; });
  const auto accuracy = measure_replay(rows, std::vector{3.05, 2.05}, 1);
  ASSERT_EQ(median_replay_error(accuracy, true), 0.0);
  EXPECT_EQ(accuracy.left_out, 3U);
  for (const ReplayedRun& run : accuracy.runs) {
    if (!run.is_between) continue;
    EXPECT_EQ(run.run, "1/gold/10x0.5/silver");
    // 5 on arrival; 10 epochs on gold, then 10 or 15 until it is below.
    EXPECT_EQ(run.real_epochs, run.target == 3.05 ? 20 : 25);
  }
}

TEST(MeasureReplay, TellsHowFarOffItIs) {
  // The one in the middle arrives 1 lower than the others say, which is 5 epochs.
  const auto rows = three_changes([](int after) { return after == 10 ? 4.0 : 6 - 0.1 * after; });
  const auto accuracy = measure_replay(rows, std::vector{3.05}, 1);
  ASSERT_TRUE(median_replay_error(accuracy, true).has_value());
  EXPECT_DOUBLE_EQ(*median_replay_error(accuracy, true), 5.0 / 15);
}

TEST(MeasureReplay, HasNothingToSayWithoutNeighbours) {
  const auto accuracy = measure_replay(example_traces(), std::vector{3.0}, 1);
  EXPECT_FALSE(median_replay_error(accuracy, true).has_value());
}

TEST(MeasureEstimators, AsksOnlyOfSeedsThatJudge) {
  const auto splits = split_seeds(as_collected(example_input().rows), 2);
  const LearningForecaster forecaster(support::random_run_network(1),
                                      support::random_change_network(2), {});
  const std::vector forecasters{forecaster, forecaster};
  const auto accuracy = measure_estimators(splits, forecasters);
  // Of each seed's seven stages of 20 epochs: 20, 19, …, 16 questions for 1 to 5 epochs ahead.
  EXPECT_EQ(accuracy.run.pooled.count, 2U * 7U * (20 + 19 + 18 + 17 + 16));
  // Lines go on as they were, but right after a change nobody knows their slope.
  EXPECT_GT(accuracy.run.naive_mae, 0);
  EXPECT_GT(accuracy.run.spread.mae.mean, 0);
  ASSERT_TRUE(accuracy.change.has_value());
  EXPECT_EQ(accuracy.change->pooled.count, 2U * 6U);
  EXPECT_GE(accuracy.change->pooled.icp, 0);
  EXPECT_LE(accuracy.change->pooled.icp, 1);
}

TEST(MeasureEstimators, MayKnowNothingOfChanges) {
  const auto splits = split_seeds(as_collected(example_input().rows), 2);
  const LearningForecaster forecaster(support::random_run_network(1), {}, {});
  const std::vector forecasters{forecaster, forecaster};
  EXPECT_FALSE(measure_estimators(splits, forecasters).change.has_value());
}

}  // namespace
}  // namespace espalier
