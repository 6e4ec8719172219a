// SPDX-License-Identifier: Apache-2.0
#include "training/learner_options.h"

#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

LearnerOptions with(Schedule schedule) { return {.learning_rate = 0.4, .schedule = schedule}; }

TEST(Schedule, ConstantNeverFalls) { EXPECT_DOUBLE_EQ(learning_rate_at(with({}), 1000), 0.4); }

TEST(Schedule, CosineFallsToNothingAndStaysThere) {
  const LearnerOptions options = with({RateSchedule::Cosine, 10});
  EXPECT_DOUBLE_EQ(learning_rate_at(options, 0), 0.4);
  EXPECT_NEAR(learning_rate_at(options, 5), 0.2, 1e-12);
  EXPECT_NEAR(learning_rate_at(options, 10), 0, 1e-12);
  EXPECT_NEAR(learning_rate_at(options, 15), 0, 1e-12);
}

TEST(Schedule, StepFallsEveryFewEpochs) {
  const LearnerOptions options = with({RateSchedule::Step, 3, 0.5});
  EXPECT_DOUBLE_EQ(learning_rate_at(options, 2), 0.4);
  EXPECT_DOUBLE_EQ(learning_rate_at(options, 3), 0.2);
  EXPECT_DOUBLE_EQ(learning_rate_at(options, 8), 0.1);
}

TEST(LearnerOptions, ThatMakeNoSenseAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NO_THROW(validate(LearnerOptions{}));
  EXPECT_THROW(validate(LearnerOptions{.batch = 0}), Error);
  EXPECT_THROW(validate(LearnerOptions{.learning_rate = -1}), Error);
  EXPECT_THROW(validate(LearnerOptions{.learning_rate = nan}), Error);
  EXPECT_THROW(validate(LearnerOptions{.momentum = 1}), Error);
  EXPECT_THROW(validate(LearnerOptions{.weight_decay = nan}), Error);
  EXPECT_THROW(validate(LearnerOptions{.schedule = {RateSchedule::Step, 0}}), Error);
  EXPECT_THROW(validate(LearnerOptions{.schedule = {RateSchedule::Step, 1, 2}}), Error);
  EXPECT_THROW(validate(LearnerOptions{.scales = {{0.5, 0}}}), Error);
  EXPECT_THROW(validate(LearnerOptions{.jitter = -1}), Error);
  EXPECT_THROW(validate(LearnerOptions{.threads = 0}), Error);
}

}  // namespace
}  // namespace espalier
