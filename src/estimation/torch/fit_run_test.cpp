// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <thread>

#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/network_forecast.h"
#include "estimation/network_weights.h"
#include "estimation/torch/fit_estimators.h"
#include "estimation/torch/synthetic_curves.h"
#include "support/text.h"

namespace espalier {
namespace {

struct Curves {
  std::vector<RunSequence> learned;
  std::vector<RunSequence> validation;
  operator RunSequences() const { return {learned, validation}; }
};

Curves small_curves(double scale = 1) {
  const support::CurveStyle style{.epochs = 12, .scale = scale};
  return {support::synthetic_curves(0, 18, style), support::synthetic_curves(100, 9, style)};
}

FittedNetwork fit_small(const FitOptions& options, const FitWatch& watch = {}) {
  return fit_run_estimator(small_curves(), options, watch);
}

std::vector<RunExample> held_out_examples() {
  std::vector<RunExample> all;
  for (const RunSequence& curve : support::synthetic_curves(500, 45)) {
    std::ranges::move(examples_of(curve), std::back_inserter(all));
  }
  return all;
}

struct Score {
  double error = 0;           // mean absolute
  double repeated_error = 0;  // of repeating the last difference
  double coverage = 0;        // share within [low, high]
  double below = 0;           // share below low
  double count = 0;
};

void add_score(Score& score, const Forecast& forecast, const RunExample& example) {
  const std::vector<double>& seen = example.history.losses;
  const double slope = seen.size() < 2 ? 0 : seen.back() - seen[seen.size() - 2];
  for (std::size_t i = 0; i < example.next.size(); ++i) {
    const double truth = example.next[i];
    score.error += std::abs(forecast[i].mean - truth);
    score.repeated_error += std::abs(seen.back() + slope * static_cast<double>(i + 1) - truth);
    score.coverage += truth >= forecast[i].low && truth <= forecast[i].high ? 1 : 0;
    score.below += truth < forecast[i].low ? 1 : 0;
    ++score.count;
  }
}

Score score_of(const Tensors& weights) {
  const std::vector<RunExample> examples = held_out_examples();
  std::vector<History> histories;
  for (const RunExample& example : examples) histories.push_back(example.history);
  const auto forecasts = NetworkRunEstimator(weights).forecast(histories);
  Score score;
  for (std::size_t i = 0; i < examples.size(); ++i) add_score(score, forecasts[i], examples[i]);
  for (double* sum : {&score.error, &score.repeated_error, &score.coverage, &score.below}) {
    *sum /= score.count;
  }
  return score;
}

TEST(FitRun, LearnsPowerLawsFarBetterThanRepeatingTheLastDifference) {
  const auto learned = support::synthetic_curves(0, 90);
  const auto validation = support::synthetic_curves(300, 30);
  const FittedNetwork fitted =
      fit_run_estimator({learned, validation}, {.learning_rate = 3e-3, .most_epochs = 60}, {});
  const Score score = score_of(fitted.weights);
  EXPECT_LT(score.error, 0.3 * score.repeated_error);
  EXPECT_NEAR(score.coverage, 0.90, 0.05);
  EXPECT_NEAR(score.below, 0.05, 0.035);
}

TEST(FitRun, TheSameSeedGivesTheSameBitsAndAnotherOneOthers) {
  const FittedNetwork first = fit_small({.most_epochs = 3});
  EXPECT_EQ(fit_small({.most_epochs = 3}).weights, first.weights);
  EXPECT_NE(fit_small({.most_epochs = 3, .seed = 2}).weights, first.weights);
}

TEST(FitRun, FitsInSeveralThreadsDoNotDisturbEachOther) {
  const FittedNetwork alone = fit_small({.most_epochs = 3});
  FittedNetwork first;
  FittedNetwork second;
  {
    const std::jthread a([&] { first = fit_small({.most_epochs = 3}); });
    const std::jthread b([&] { second = fit_small({.most_epochs = 3}); });
  }
  EXPECT_EQ(first.weights, alone.weights);
  EXPECT_EQ(second.weights, alone.weights);
}

// Forecasts are relative: in another unit of loss, the same network comes out.
TEST(FitRun, NoUnitOfLossMatters) {
  const Curves plain = small_curves();
  const Curves scaled = small_curves(1024);
  const FitOptions options{.most_epochs = 3};
  const auto a = NetworkRunEstimator(fit_run_estimator(plain, options, {}).weights);
  const auto b = NetworkRunEstimator(fit_run_estimator(scaled, options, {}).weights);
  const std::array one{History{plain.validation[0].losses, plain.validation[0].now, 0}};
  const std::array other{History{scaled.validation[0].losses, scaled.validation[0].now, 0}};
  const double mean = a.forecast(one)[0][4].mean;
  EXPECT_NEAR(b.forecast(other)[0][4].mean, 1024 * mean, 1e-3 * 1024 * mean);
}

TEST(FitRun, KeepsTheWeightsOfTheBestEpoch) {
  std::vector<FitProgress> told;
  const FitOptions options{.learning_rate = 0.05, .patience = 4, .most_epochs = 60};
  const FittedNetwork fitted =
      fit_small(options, {.progress = [&](const FitProgress& now) { told.push_back(now); }});
  ASSERT_EQ(fitted.end, FitEnd::Settled);
  EXPECT_EQ(fitted.last.epoch, fitted.last.best_epoch + options.patience);
  const auto least = std::ranges::min_element(told, {}, &FitProgress::validation_loss);
  EXPECT_EQ(least->epoch, fitted.last.best_epoch);
  EXPECT_EQ(least->validation_loss, fitted.last.best_validation_loss);
  // A fit that ends right after that epoch has nothing else to give.
  FitOptions shorter = options;
  shorter.most_epochs = fitted.last.best_epoch;
  EXPECT_EQ(fit_small(shorter).weights, fitted.weights);
}

TEST(FitRun, StopsSoonAfterItIsAskedTo) {
  std::stop_source source;
  const FitWatch watch{.progress =
                           [&](const FitProgress& now) {
                             if (now.epoch == 2) source.request_stop();
                           },
                       .stop = source.get_token()};
  const FittedNetwork fitted = fit_small({.most_epochs = 1000}, watch);
  EXPECT_EQ(fitted.end, FitEnd::Stopped);
  EXPECT_EQ(fitted.last.epoch, 2);
  EXPECT_EQ(run_shape(fitted.weights), RunShape{});
}

std::string fit_fault(const RunSequences& sequences, const FitOptions& options = {}) {
  try {
    fit_run_estimator(sequences, options, {});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return error.what();
  }
  return "";
}

TEST(FitRun, TooFewCurvesAreAnError) {
  const Curves curves = small_curves();
  const std::span all(curves.learned);
  EXPECT_EQ(fit_fault({all.first(3), all}), "fit: 3 curves to learn from; at least 4 are needed");
  EXPECT_EQ(fit_fault({all, {}}), "fit: 0 curves to validate with; at least 1 are needed");
  const std::vector<RunSequence> ended(5, {{2.3}, {}, 0});
  EXPECT_EQ(fit_fault({ended, all}), "fit: 0 curves to learn from; at least 4 are needed");
}

TEST(FitRun, WhatIsNoLossIsAnError) {
  Curves curves = small_curves();
  curves.validation[1].losses[2] = std::nan("");
  EXPECT_TRUE(contains(fit_fault(curves), "a loss is nan"));
  curves = small_curves();
  curves.learned[0].losses[5] = -1;
  EXPECT_TRUE(contains(fit_fault(curves), "a loss is -1"));
  curves = small_curves();
  curves.learned[0].stage = 99;
  EXPECT_TRUE(contains(fit_fault(curves), "stage begins at place 99 of 13 losses"));
}

TEST(FitRun, OptionsAreChecked) {
  EXPECT_EQ(fit_fault(small_curves(), {.hidden = 0}), "fit: the LSTM must have 1 to 512 units");
  EXPECT_EQ(fit_fault(small_curves(), {.batch = 0}), "fit: the batch must be at least 1");
}

}  // namespace
}  // namespace espalier
