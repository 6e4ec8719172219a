// SPDX-License-Identifier: Apache-2.0
#include "fitting/fit.h"

#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/forecaster_file.h"
#include "fitting/fit_fixtures.h"
#include "support/text.h"

namespace espalier {
namespace {

FitResult fitted(const std::vector<TraceRow>& rows, const FittingOptions& options = {}) {
  return fit(tell_stories(rows), options, support::hopeless_fitters(), {}).value();
}

const VoiceFigures& voice(const EstimatorReport& report, Voice which) {
  for (const VoiceFigures& row : report.voices) {
    if (row.voice == which) return row;
  }
  throw std::runtime_error("no such row");
}

std::string why_not_fitted(const std::vector<TraceRow>& rows) {
  try {
    fitted(rows);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return error.what();
  }
  return "fitted";
}

// Whatever the networks are like, 90 % of the losses of runs that nobody saw are in the ranges.
TEST(Fit, CoversHeldOutLossesAlsoWithNetworksThatLearntNothing) {
  const FitResult result = fitted(support::synthetic_rows(200, 30, true));
  const VoiceFigures& used = voice(result.run, Voice::Calibrated);
  for (std::size_t h = 0; h < result.run.horizons.size(); ++h) {
    const Metrics& metrics = used.by_horizon[h];
    if (metrics.count == 0) continue;
    EXPECT_NEAR(metrics.run_icp, 0.9, 0.02) << result.run.horizons[h] << " epochs ahead";
    EXPECT_TRUE(result.run.is_guaranteed[h]);
  }
  EXPECT_NEAR(voice(result.change, Voice::Calibrated).pooled.icp, 0.9, 0.03);
  EXPECT_LT(voice(result.run, Voice::Network).pooled.icp, 0.8) << "they really learnt nothing";
}

TEST(Fit, JudgesEveryRunOnceAndKeepsNetworksOfAll) {
  const FitResult result = fitted(support::synthetic_rows(12, 8, true), {.folds = 3});
  EXPECT_EQ(result.run.runs, 12U);
  EXPECT_EQ(result.run.questions, 12U * 8U) << "each epoch is the next loss once";
  EXPECT_EQ(result.change.questions, 12U);
  ASSERT_EQ(result.run.fits.size(), 4U);
  EXPECT_EQ(result.run.fits.back().learned + result.run.fits.back().validating, 12U);
  EXPECT_EQ(result.samples.size(), 6U);
  EXPECT_FALSE(result.samples[0].starts.empty());
  ASSERT_EQ(result.run.worst.size(), 10U);
}

TEST(Fit, IsTheSameWithAnyNumberOfWorkers) {
  const auto rows = support::synthetic_rows(14, 8, true);
  const FitResult alone = fitted(rows, {.workers = 1});
  const FitResult together = fitted(rows, {.workers = 4});
  EXPECT_EQ(estimator_bytes(alone.fitted), estimator_bytes(together.fitted));
  EXPECT_EQ(alone.run.voices[4].pooled.mae, together.run.voices[4].pooled.mae);
}

TEST(Fit, MakesAForecasterThatReadsBack) {
  const FitResult result = fitted(support::synthetic_rows(14, 8, true));
  const auto read = estimators_from_bytes(estimator_bytes(result.fitted), "test");
  const LearningForecaster forecaster(read.run, read.change, tuning_from(read.calibration));
  const History history{{2, 1.5, 1.2}, {}, 0};
  const auto ahead = forecaster.ahead(std::vector{history}, 12);
  ASSERT_EQ(ahead.at(0).size(), 12U);
  EXPECT_TRUE(forecaster.knows_changes());
}

TEST(Fit, WithoutPruningsLearnsOnlyHowRunsGoOn) {
  const FitResult result = fitted(support::synthetic_rows(10, 6, false));
  EXPECT_TRUE(result.change.voices.empty());
  EXPECT_TRUE(contains(result.change.missing, "0 runs have a row with the event prune"));
  EXPECT_TRUE(result.fitted.change.empty());
  EXPECT_FALSE(result.fitted.run.empty());
}

TEST(Fit, TakesWhatIsNotPerfect) {
  auto rows = support::synthetic_rows(10, 8, true);
  rows[3].loss = {std::numeric_limits<double>::quiet_NaN()};
  rows.push_back(trace_row("one epoch only", 1, 1.0));
  const FitResult result = fitted(rows);
  EXPECT_EQ(result.leftovers.lost_losses, 1U);
  EXPECT_EQ(result.run.runs, 10U);
  EXPECT_EQ(result.runs, 11U);
}

TEST(Fit, SaysExactlyWhatIsMissing) {
  EXPECT_TRUE(contains(why_not_fitted(support::synthetic_rows(5, 8, false)),
                       "5 of 5 runs have epochs that follow each other; at least 6 are needed"));
  auto rows = support::synthetic_rows(8, 8, false);
  rows[12].loss = {-0.5};
  EXPECT_TRUE(contains(why_not_fitted(rows), "run run1001, epoch 3: the loss is -0.5"))
      << why_not_fitted(rows);
}

TEST(Fit, EndsWithoutAnAnswerWhenAskedToStop) {
  std::stop_source source;
  const FittingWatch watch{[&](const FittingNews&) { source.request_stop(); }, source.get_token()};
  const auto result = fit(tell_stories(support::synthetic_rows(10, 6, false)), {},
                          support::hopeless_fitters(), watch);
  EXPECT_FALSE(result.has_value());
}

TEST(Fit, TellsHowFarItIs) {
  std::vector<FittingNews> told;
  const FittingWatch watch{[&](const FittingNews& news) { told.push_back(news); }, {}};
  fit(tell_stories(support::synthetic_rows(10, 6, false)), {.folds = 5, .workers = 1},
      support::hopeless_fitters(), watch);
  ASSERT_EQ(told.size(), 6U);
  EXPECT_EQ(told[2].fold, 2U);
  EXPECT_EQ(told[2].done, 2U);
  EXPECT_EQ(told[2].total, 6U);
}

}  // namespace
}  // namespace espalier
