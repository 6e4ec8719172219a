// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/network_forecast.h"
#include "estimation/torch/fit_estimators.h"
#include "estimation/torch/synthetic_curves.h"

namespace espalier {
namespace {

FittedNetwork fit_changes(const FitOptions& options) {
  const auto learned = support::synthetic_changes(0, 600);
  const auto validation = support::synthetic_changes(1000, 100);
  return fit_change_estimator({learned, validation}, options, {});
}

TEST(FitChange, LearnsJumpsAndTheirRanges) {
  const FittedNetwork fitted = fit_changes({.learning_rate = 3e-3, .most_epochs = 60});
  const auto held_out = support::synthetic_changes(2000, 500);
  std::vector<Pruning> changes;
  for (const ChangeExample& example : held_out) changes.push_back(example.change);
  const auto ranges = NetworkChangeEstimator(fitted.weights).after(changes);
  double error = 0;
  double unchanged_error = 0;
  double covered = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const double truth = held_out[i].after;
    error += std::abs(ranges[i].mean - truth);
    unchanged_error += std::abs(changes[i].before.back() - truth);
    covered += truth >= ranges[i].low && truth <= ranges[i].high ? 1 : 0;
  }
  EXPECT_LT(error, 0.2 * unchanged_error);
  EXPECT_NEAR(covered / static_cast<double>(ranges.size()), 0.9, 0.06);
}

TEST(FitChange, TheSameSeedGivesTheSameBits) {
  EXPECT_EQ(fit_changes({.most_epochs = 2}).weights, fit_changes({.most_epochs = 2}).weights);
}

TEST(FitChange, TooFewChangesAreAnError) {
  const auto few = support::synthetic_changes(0, 2);
  try {
    fit_change_estimator({few, few}, {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    EXPECT_STREQ(error.what(), "fit: 2 changes to learn from; at least 4 are needed");
  }
}

}  // namespace
}  // namespace espalier
