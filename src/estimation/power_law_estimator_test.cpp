// SPDX-License-Identifier: Apache-2.0
#include "estimation/power_law_estimator.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/infinite.h"
#include "estimation/naive_estimator.h"
#include "estimation/synthetic_traces.h"

namespace espalier {
namespace {

std::vector<double> first_losses(const CurveLaw& law, std::size_t count) {
  std::vector<double> losses(count);
  for (std::size_t k = 0; k < count; ++k) losses[k] = law.at(double(k));
  return losses;
}

double width_above(const LossRange& range) { return range.high - range.mean; }

// Histories that people and machines come up with.
std::vector<std::vector<double>> odd_histories() {
  std::vector<std::vector<double>> all{{2.3},
                                       {0},
                                       {0, 0, 0},
                                       {1, 1, 1, 1},
                                       {1, 2, 3, 4},
                                       {1e300, 1e-300},
                                       {1e-300, 1e300},
                                       {5e-324},
                                       {2, 0, 2, 0, 2},
                                       {1, 0, 0, 0},
                                       std::vector<double>(5000, 0.5)};
  const CurveSource noisy(3, 0.5);
  for (std::uint64_t run = 0; run < 20; ++run) all.push_back(noisy.losses(run, 3 + 4 * int(run)));
  return all;
}

TEST(PowerLawEstimator, KeepsItsPromisesForAnyHistory) {
  for (const auto& losses : odd_histories()) {
    const auto ranges = PowerLawEstimator().ahead(history_of(losses), 200);
    ASSERT_EQ(ranges.size(), 200U);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      ASSERT_TRUE(std::isfinite(ranges[i].high)) << losses.size() << " " << losses[0];
      ASSERT_LE(0, ranges[i].low);
      ASSERT_LE(ranges[i].low, ranges[i].mean);
      ASSERT_LE(ranges[i].mean, ranges[i].high);
      if (i == 0) continue;
      ASSERT_LE(ranges[i].mean, ranges[i - 1].mean) << "losses do not rise";
      ASSERT_GE(width_above(ranges[i]), width_above(ranges[i - 1]) * (1 - 1e-9));
    }
  }
}

TEST(PowerLawEstimator, ContinuesAPowerLaw) {
  for (const double power : {0.3, 0.7, 1.2}) {
    const CurveLaw law{.power = power};
    const auto ranges = PowerLawEstimator().ahead(history_of(first_losses(law, 30)), 20);
    EXPECT_NEAR(ranges[0].mean, law.at(30), 0.004) << power;
    EXPECT_NEAR(ranges[4].mean, law.at(34), 0.008) << power;
    EXPECT_NEAR(ranges[19].mean, law.at(49), 0.02) << power;
  }
}

TEST(PowerLawEstimator, ExpectsAFreshNetworkToLearn) {
  const auto ranges = PowerLawEstimator().ahead(history_of({2.3}), 5);
  EXPECT_LT(ranges[4].mean, 0.9 * 2.3);
  EXPECT_GT(ranges[4].high - ranges[4].low, 0.5) << "but it cannot know how fast";
}

TEST(PowerLawEstimator, IsLessSureOfTheFarFuture) {
  const auto ranges = PowerLawEstimator().ahead(history_of(CurveSource(1).losses(0, 15)), 50);
  EXPECT_GT(width_above(ranges[4]), width_above(ranges[0]));
  EXPECT_GT(width_above(ranges[49]), 1.5 * width_above(ranges[4]));
}

TEST(PowerLawEstimator, IsLessSureAfterAShortHistory) {
  const CurveLaw law;
  double before = kInfinite;
  for (const std::size_t length : {1, 3, 6, 12, 40}) {
    const auto ranges = PowerLawEstimator().ahead(history_of(first_losses(law, length)), 5);
    EXPECT_LT(width_above(ranges[4]), before) << length;
    before = width_above(ranges[4]);
  }
}

TEST(PowerLawEstimator, LooksOnlyAtThePresentStage) {
  const std::vector<double> stage{1.5, 1.0, 0.8, 0.7};
  History history = history_of({9, 9, 0.1});
  history.stage = history.losses.size();
  history.losses.insert(history.losses.end(), stage.begin(), stage.end());
  EXPECT_EQ(PowerLawEstimator().ahead(history, 5), PowerLawEstimator().ahead(history_of(stage), 5));
}

TEST(PowerLawEstimator, DoesNotDependOnTheUnitOfLoss) {
  const auto losses = CurveSource(2).losses(0, 20);
  auto larger = losses;
  for (double& loss : larger) loss *= 1000;
  const auto a = PowerLawEstimator().ahead(history_of(losses), 5);
  const auto b = PowerLawEstimator().ahead(history_of(larger), 5);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(b[i].high, 1000 * a[i].high, 1e-6);
}

TEST(PowerLawEstimator, ForecastsAreTheFirstEpochsAhead) {
  const std::vector<History> histories{history_of({2, 1.5}), history_of({3, 2, 1})};
  const PowerLawEstimator estimator;
  const auto forecasts = estimator.forecast(histories);
  ASSERT_EQ(forecasts.size(), 2U);
  EXPECT_EQ(forecasts[1][4], estimator.ahead(histories[1], 20)[4]);
}

TEST(PowerLawEstimator, RefusesAHistoryWithoutLosses) {
  EXPECT_THROW(PowerLawEstimator().ahead({}, 5), Error);
}

struct Trial {
  double error = 0;
  double covered = 0;
};

// Over noisy curves of many laws, from the first epoch on.
Trial try_out(const RunEstimator& estimator, std::size_t horizon) {
  const CurveSource source(11);
  Trial trial;
  double count = 0;
  for (std::uint64_t run = 0; run < 40; ++run) {
    const auto losses = source.losses(run, 40);
    for (std::size_t known = 1; known + horizon < losses.size(); ++known, ++count) {
      const auto end = losses.begin() + static_cast<std::ptrdiff_t>(known);
      const History history = history_of({losses.begin(), end});
      const LossRange range = estimator.forecast({&history, 1})[0][horizon];
      const double truth = losses[known + horizon];
      trial.error += std::abs(range.mean - truth);
      trial.covered += range.low <= truth && truth <= range.high ? 1 : 0;
    }
  }
  return {trial.error / count, trial.covered / count};
}

TEST(PowerLawEstimator, IsTwiceAsGoodAsTheNaiveOne) {
  for (const std::size_t horizon : {0U, 4U}) {
    const Trial law = try_out(PowerLawEstimator(), horizon);
    EXPECT_LT(law.error, 0.5 * try_out(NaiveEstimator(), horizon).error) << horizon;
    EXPECT_GT(law.covered, 0.88) << horizon;
  }
}

TEST(NaiveEstimator, ContinuesTheLastDifference) {
  const History history = history_of({2, 1.5, 1.25});
  const Forecast forecast = NaiveEstimator().forecast({&history, 1})[0];
  EXPECT_DOUBLE_EQ(forecast[0].mean, 1.0);
  EXPECT_DOUBLE_EQ(forecast[3].mean, 0.25);
  EXPECT_DOUBLE_EQ(forecast[4].mean, 0) << "never below 0";
  EXPECT_LT(forecast[0].high - forecast[0].mean, forecast[1].high - forecast[1].mean);
}

TEST(NaiveEstimator, IsInOrderForAnyHistory) {
  for (const auto& losses : odd_histories()) {
    const History history = history_of(losses);
    const Forecast forecast = NaiveEstimator().forecast({&history, 1})[0];
    for (const LossRange& range : forecast) {
      EXPECT_LE(0, range.low);
      EXPECT_LE(range.low, range.mean);
      EXPECT_LE(range.mean, range.high);
      EXPECT_TRUE(std::isfinite(range.high));
    }
  }
}

}  // namespace
}  // namespace espalier
