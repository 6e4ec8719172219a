// SPDX-License-Identifier: Apache-2.0
#include "estimation/metrics.h"

#include <gtest/gtest.h>

#include "estimation/synthetic_traces.h"

namespace espalier {
namespace {

// Run 1 is missed once of three times, run 2 always.
std::vector<Judged> four_predictions() {
  return {{{1, 2, 3}, 2.5, 1}, {{1, 2, 3}, 3.5, 1}, {{1, 2, 3}, 1, 1}, {{0, 2, 4}, 5, 2}};
}

TEST(Metrics, AreThoseOfThePaper) {
  const Metrics metrics = measure(four_predictions());
  EXPECT_DOUBLE_EQ(metrics.mae, (0.5 + 1.5 + 1 + 3) / 4);
  EXPECT_DOUBLE_EQ(metrics.mil, (2 + 2 + 2 + 4) / 4.0);
  EXPECT_DOUBLE_EQ(metrics.icp, 0.5);
  EXPECT_DOUBLE_EQ(metrics.run_icp, (2.0 / 3 + 0) / 2) << "a run counts once, however long";
  EXPECT_DOUBLE_EQ(metrics.above, 0.5);
  EXPECT_EQ(measure(std::vector<Judged>{}).count, 0U);
}

TEST(Metrics, CanBeRelativeToTheRangeOfLosses) {
  const auto stories = tell_stories(fresh_run("a", {4.5, 2, 0.5})).runs;
  EXPECT_DOUBLE_EQ(loss_range(stories), 4);
  const Metrics relative = relative_to(4, measure(four_predictions()));
  EXPECT_DOUBLE_EQ(relative.mae, 1.5 / 4);
  EXPECT_DOUBLE_EQ(relative.mil, 2.5 / 4);
  EXPECT_DOUBLE_EQ(relative.icp, 0.5);
  EXPECT_EQ(loss_range({}), 0);
}

TEST(Metrics, SpreadOverFolds) {
  const std::vector<Metrics> folds{
      {.mae = 1, .icp = 0.8, .count = 5}, {.mae = 3, .icp = 1, .count = 5}, {.count = 0}};
  const MetricsSpread spread = spread_of(folds);
  EXPECT_DOUBLE_EQ(spread.mae.mean, 2) << "a fold without predictions does not count";
  EXPECT_DOUBLE_EQ(spread.mae.deviation, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(spread.icp.mean, 0.9);
  EXPECT_EQ(spread_of(std::span(folds).first(1)).mae.deviation, 0);
}

class Fixed final : public RunEstimator {
 public:
  std::vector<Forecast> forecast(std::span<const History> histories) const override {
    std::vector<Forecast> forecasts(histories.size());
    for (std::size_t i = 0; i < histories.size(); ++i)
      forecasts[i].fill({0, histories[i].losses.back(), 9});
    return forecasts;
  }
};

TEST(Judgement, PutsEachPredictionBesideWhatCame) {
  const std::vector<RunExample> first{{history_of({5, 4}), {3, 2}}, {history_of({5, 4, 3}), {2}}};
  const std::vector<RunExample> second{{history_of({7}), {6}}};
  const std::vector<RunQuestion> questions{{10, first}, {20, second}};
  const JudgedForecasts judged = judge(Fixed(), questions);
  ASSERT_EQ(judged[0].size(), 3U);
  EXPECT_EQ(judged[0][1].said.mean, 3);
  EXPECT_EQ(judged[0][1].came, 2);
  EXPECT_EQ(judged[0][2].run, 20U);
  ASSERT_EQ(judged[1].size(), 1U) << "only what is known";
  EXPECT_EQ(judged[1][0].came, 2);
  EXPECT_EQ(measure(judged)[0].count, 3U);
}

}  // namespace
}  // namespace espalier
