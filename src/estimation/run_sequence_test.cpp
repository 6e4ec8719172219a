// SPDX-License-Identifier: Apache-2.0
#include "estimation/run_sequence.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

const RunSequence kStaged{
    .losses = {2.0, 1.5, 1.9, 1.4, 1.2, 1.1, 1.0, 0.9}, .now = {0.5, 5000, 10}, .stage = 2};

TEST(RunSequence, HoldsOneExamplePerPlaceOfTheStageThatALossFollows) {
  const std::vector<RunExample> examples = examples_of(kStaged);
  ASSERT_EQ(examples.size(), examples_in(kStaged));
  ASSERT_EQ(examples.size(), 5U);
  EXPECT_EQ(examples[0].history.losses, (std::vector{2.0, 1.5, 1.9}));
  EXPECT_EQ(examples[0].history.stage, 2U);
  EXPECT_EQ(examples[0].next, (std::vector{1.4, 1.2, 1.1, 1.0, 0.9}));
  EXPECT_EQ(examples[4].next, (std::vector{0.9}));
}

TEST(RunSequence, HoldsNoneBeforeItsFirstPlace) {
  RunSequence sequence = kStaged;
  sequence.first = 5;
  const std::vector<RunExample> examples = examples_of(sequence);
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0].history.losses.size(), 6U);
}

TEST(RunSequence, NeitherBeginsAtAGuessNorForecastsOne) {
  RunSequence sequence = kStaged;
  sequence.guessed = std::vector<bool>(8, false);
  sequence.guessed[5] = true;
  EXPECT_EQ(targets_at(sequence, 3), 1U);
  EXPECT_EQ(targets_at(sequence, 4), 0U);
  EXPECT_EQ(targets_at(sequence, 5), 0U);
  EXPECT_EQ(targets_at(sequence, 6), 1U);
}

TEST(RunSequence, MayHoldNoExample) {
  EXPECT_EQ(examples_in({.losses = {2.0, 1.0}, .now = {}, .stage = 1}), 0U);
  EXPECT_EQ(examples_in({.losses = {}, .now = {}}), 0U);
}

}  // namespace
}  // namespace espalier
