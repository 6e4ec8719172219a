// SPDX-License-Identifier: Apache-2.0
#include "fitting/tuning.h"

#include <gtest/gtest.h>

#include "estimation/metrics.h"
#include "realisations/rng.h"

namespace espalier {
namespace {

// The network is right but far too sure; the rule is biased.
Answers drawn_answers(std::size_t runs, std::size_t folds) {
  const CounterRng rng(3);
  Answers answers;
  for (std::size_t run = 0; run < runs; ++run) {
    for (std::uint64_t k = 0; k < 10; ++k) {
      HeldOut one{.run = run, .fold = run % folds};
      one.came = 5 + rng.normal({.run = run, .stream = 1, .index = k});
      one.said[position_of(Voice::Network)] = {4.9, 5, 5.1};
      one.said[position_of(Voice::Rule)] = {6, 7, 8};
      answers.push_back(one);
    }
  }
  return answers;
}

const LossRange& calibrated(const HeldOut& one) { return one.said[position_of(Voice::Calibrated)]; }

TEST(Tuning, ChoosesTheBetterAndMakesItsRangesComeTrue) {
  Answers answers = drawn_answers(200, 5);
  tune_across_folds(answers, 5, {});
  const Metrics raw = measure(judged_by(Voice::Network, answers));
  const Metrics tuned = measure(judged_by(Voice::Calibrated, answers));
  EXPECT_LT(raw.icp, 0.2);
  EXPECT_NEAR(tuned.icp, 0.9, 0.02);
  EXPECT_NEAR(tuned.mae, raw.mae, 0.05);
}

// What comes in a fold is judged by ranges that do not know it.
TEST(Tuning, NoLossHasASayInItsOwnJudgement) {
  Answers answers = drawn_answers(50, 5);
  Answers others = answers;
  for (HeldOut& one : others) {
    if (one.fold == 2) one.came *= 100;
  }
  tune_across_folds(answers, 5, {});
  tune_across_folds(others, 5, {});
  bool has_effect = false;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].fold == 2) {
      EXPECT_EQ(calibrated(answers[i]), calibrated(others[i]));
    } else {
      has_effect = has_effect || calibrated(answers[i]) != calibrated(others[i]);
    }
  }
  EXPECT_TRUE(has_effect) << "but on all other folds";
}

TEST(Tuning, WithoutBlendingTheNetworkStandsAlone) {
  Answers answers = drawn_answers(20, 2);
  for (HeldOut& one : answers) one.said[position_of(Voice::Rule)] = {one.came, one.came, one.came};
  EXPECT_EQ(tune(answers, {.blends = false}).network_share, 1);
  EXPECT_EQ(tune(answers, {}).network_share, 0) << "the rule is always right";
}

}  // namespace
}  // namespace espalier
