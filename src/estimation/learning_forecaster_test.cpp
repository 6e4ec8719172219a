// SPDX-License-Identifier: Apache-2.0
#include "estimation/learning_forecaster.h"

#include <gtest/gtest.h>

#include "core/infinite.h"
#include "estimation/random_estimators.h"

namespace espalier {
namespace {

LearningForecaster forecaster(const ForecastTuning& tuning, const ForecastParts& parts = {}) {
  return {support::random_run_network(1), support::random_change_network(2), tuning, parts};
}

// The upper ends come down to the means: nothing could be more hopeful.
ForecastTuning hopeful() {
  ForecastTuning tuning;
  for (Adjustment& one : tuning.horizons.adjustment) one = {.shift = -2, .up = -kInfinite};
  tuning.change = {.shift = -2, .up = -kInfinite};
  tuning.harm = {1};
  return tuning;
}

LossesAhead asked(const LearningForecaster& whom, const History& history, std::size_t epochs = 30) {
  return whom.ahead(std::span(&history, 1), epochs).front();
}

TEST(LearningForecaster, TheRobustEstimateIsNeverMoreHopefulThanTheory) {
  const History history = support::falling_history(12, 4, 0.5);
  const LossesAhead free = asked(forecaster(hopeful(), {.bounds = false}), history);
  const LossesAhead bound = asked(forecaster(hopeful()), history);
  for (std::size_t h = 0; h < bound.size(); ++h) {
    const double least = promised_loss(history, static_cast<int>(h + 1));
    EXPECT_LT(free[h].high, least) << "otherwise this test shows nothing";
    EXPECT_DOUBLE_EQ(bound[h].high, least);
    EXPECT_EQ(bound[h].mean, free[h].mean) << "hope is allowed";
    EXPECT_EQ(bound[h].low, free[h].low);
  }
}

TEST(LearningForecaster, NoPruningIsRobustlyHarmless) {
  const Pruning pruning{0, 0.5, {1, 0.9, 0.8, 0.7, 0.6}};
  const auto free = forecaster(hopeful(), {.bounds = false}).after(std::span(&pruning, 1)).front();
  const auto bound = forecaster(hopeful()).after(std::span(&pruning, 1)).front();
  EXPECT_LT(free.high, 1.1);
  EXPECT_DOUBLE_EQ(bound.high, 1.1) << "0.6 and half of the harm";
  EXPECT_EQ(bound.mean, free.mean);
}

TEST(LearningForecaster, WhatWasNeverSeenGetsWiderRanges) {
  ForecastTuning tuning;
  tuning.seen = {{0.5}, {5'000}, {10}, 20};
  const LearningForecaster knows = forecaster(tuning, {.bounds = false});
  const LearningForecaster knows_nothing = forecaster({}, {.bounds = false});
  const auto times = [&](double prune, std::size_t h) {
    const History history = support::falling_history(10, 0, prune);
    const LossRange wide = asked(knows, history)[h];
    const LossRange raw = asked(knows_nothing, history)[h];
    return (wide.high - wide.mean) / (raw.high - raw.mean);
  };
  EXPECT_NEAR(times(0.5, 2), 1, 1e-9);
  EXPECT_NEAR(times(0.75, 2), 2, 1e-9) << "another ratio";
  EXPECT_GT(times(0.5, 29), 1.5) << "a longer stage";
}

TEST(LearningForecaster, LearnsFromTheRunAtHandThatItIsSlow) {
  const LearningForecaster some = forecaster({}, {.bounds = false});
  History history = support::falling_history(6, 0, 0.5);
  std::vector<RunExample> examples;
  for (int i = 0; i < 10; ++i) {
    examples.push_back({history, std::vector<double>(kEpochsAhead, history.losses.back())});
  }
  const LossesAhead said = asked(some, history);
  ASSERT_NE(said[9].mean, history.losses.back());
  const RunCorrection correction = some.correction(examples);
  EXPECT_LT(correction.fall, 1) << "nothing moved";
  const LossesAhead corrected = some.ahead(std::span(&history, 1), 30, correction).front();
  EXPECT_LT(std::abs(corrected[9].mean - history.losses.back()),
            std::abs(said[9].mean - history.losses.back()));
  const LearningForecaster stubborn = forecaster({}, {.correction = false, .bounds = false});
  EXPECT_EQ(stubborn.ahead(std::span(&history, 1), 30, correction).front(), said);
}

TEST(LearningForecaster, BeginsWithOneLoss) {
  const History history{{2.3}, {0, 5'000, 10}, 0};
  const LossesAhead said = asked(forecaster({}), history, 200);
  ASSERT_EQ(said.size(), 200);
  for (const LossRange& range : said) {
    EXPECT_LE(range.low, range.mean);
    EXPECT_LE(range.mean, range.high);
    EXPECT_GE(range.low, 0);
  }
}

}  // namespace
}  // namespace espalier
