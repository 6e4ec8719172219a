// SPDX-License-Identifier: Apache-2.0
#include "estimation/learning_examples.h"

#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/synthetic_traces.h"

namespace espalier {
namespace {

RunStory story_with(const std::vector<double>& losses) {
  return tell_stories(fresh_run("a", losses)).runs.at(0);
}

TEST(LearningExamples, AreEachHistoryWithWhatFollowed) {
  const auto examples = run_examples(story_with({5, 4, 3, 2}), {.ahead = 2});
  ASSERT_EQ(examples.size(), 3U);
  EXPECT_EQ(examples[0].history.losses, std::vector<double>{5});
  EXPECT_EQ(examples[0].next, (std::vector<double>{4, 3}));
  EXPECT_EQ(examples[2].history.losses, (std::vector<double>{5, 4, 3}));
  EXPECT_EQ(examples[2].next, std::vector<double>{2});
}

TEST(LearningExamples, NeverHaveAGapAsTarget) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto examples = run_examples(story_with({5, 4, nan, 2, 1}));
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0].next, std::vector<double>{4});
  EXPECT_EQ(examples[1].history.losses, (std::vector<double>{5, 4, 3, 2}));
  EXPECT_EQ(examples[1].next, std::vector<double>{1});
}

// Shared beginnings are histories, but never targets of the runs that share them.
TEST(LearningExamples, HaveEachEpochOnceAsTheNextLoss) {
  auto rows = fresh_run("1/gold", {2.0, 1.5, 1.2, 1.0});
  for (const char* run : {"1/gold/2x0.5/silver", "1/gold/2x0.5/bronze"}) {
    rows.push_back(trace_row(run, 2, 1.9, TraceEvent::HandOver));
    rows.push_back(trace_row(run, 3, 1.4));
  }
  rows.push_back(trace_row("1/gold/2x0.5", 2, 1.8, TraceEvent::Prune));
  std::size_t targets = 0;
  for (const RunStory& story : tell_stories(rows).runs)
    targets += run_examples(story, {.ahead = 1}).size();
  EXPECT_EQ(targets, 5U) << "as many as epochs were trained";
}

TEST(LearningExamples, EndWithTheConditions) {
  auto rows = fresh_run("a", {5, 4, 6, 3, 2});
  for (std::size_t i = 2; i < rows.size(); ++i) rows[i].classes = 13;
  const auto examples = run_examples(tell_stories(rows).runs[0]);
  ASSERT_EQ(examples.size(), 3U);
  EXPECT_EQ(examples[0].next, std::vector<double>{4});
  EXPECT_EQ(examples[1].history.now.classes, 13);
  EXPECT_EQ(examples[1].history.stage, 2U);
}

TEST(LearningExamples, CanBeThinnedToFitIntoMemory) {
  const std::vector<RunStory> stories{story_with(std::vector<double>(1000, 1.0))};
  const std::size_t every = sparing_every(stories, 100'000);
  EXPECT_EQ(every, 16U);
  std::size_t losses = 0;
  for (const RunExample& example : run_examples(stories[0], {.every = every}))
    losses += example.history.losses.size();
  EXPECT_LE(losses, 100'000U);
  EXPECT_EQ(sparing_every(stories, 1'000'000'000), 1U);
}

// What networks are fitted to is what everybody is judged by.
void expect_same_examples(const std::vector<TraceRow>& rows) {
  for (const RunStory& story : tell_stories(rows).runs) {
    std::vector<RunExample> examples;
    for (const RunSequence& sequence : run_sequences(story)) {
      for (RunExample& example : examples_of(sequence)) examples.push_back(std::move(example));
    }
    const auto expected = run_examples(story);
    ASSERT_EQ(examples.size(), expected.size()) << story.run;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      EXPECT_EQ(examples[i].history.losses, expected[i].history.losses) << story.run;
      EXPECT_EQ(examples[i].history.now, expected[i].history.now) << story.run;
      EXPECT_EQ(examples[i].history.stage, expected[i].history.stage) << story.run;
      EXPECT_EQ(examples[i].next, expected[i].next) << story.run;
    }
  }
}

TEST(LearningExamples, AreTheSameInSequences) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto rows = fresh_run("1/gold", {2.0, 1.5, nan, nan, 1.2, 1.0, 0.9, 0.8, 0.7});
  for (std::size_t i = 6; i < rows.size(); ++i) rows[i].classes = 13;
  rows.push_back(trace_row("1/gold/4x0.5", 4, 1.8, TraceEvent::Prune));
  for (const char* run : {"1/gold/4x0.5/silver", "1/gold/4x0.5/bronze"}) {
    rows.push_back(trace_row(run, 4, 1.9, TraceEvent::HandOver));
    rows.push_back(trace_row(run, 5, 1.4));
    rows.push_back(trace_row(run, 7, 1.3));
    rows.push_back(trace_row(run, 8, 1.2));
  }
  rows.push_back(trace_row("lonely", 1, 1.2));
  expect_same_examples(rows);
}

TEST(LearningExamples, AreOneSequenceForEachStageOfTheRunsOwn) {
  auto rows = fresh_run("a", {5, 4, 6, 3, 2});
  for (std::size_t i = 2; i < rows.size(); ++i) rows[i].classes = 13;
  const auto sequences = run_sequences(tell_stories(rows).runs[0]);
  ASSERT_EQ(sequences.size(), 2U);
  EXPECT_EQ(sequences[0].losses, (std::vector<double>{5, 4}));
  EXPECT_EQ(sequences[1].stage, 2U);
  EXPECT_EQ(sequences[1].first, 2U);
  EXPECT_EQ(sequences[1].losses.size(), 5U);
}

std::string complaint(const std::vector<TraceRow>& rows, std::size_t runs) {
  try {
    require_run_examples(tell_stories(rows), runs);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return std::string(error.what()) + " / " + error.hint();
  }
  return "enough";
}

TEST(LearningExamples, SayExactlyWhatIsMissing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint({}, 1), "the traces have no rows / collect some: espalier collect");
  EXPECT_EQ(complaint({trace_row("a", 1, 2), trace_row("b", 1, 2), trace_row("b", 2, nan)}, 1),
            "no run has two epochs with a finite loss that follow each other; without them nobody "
            "can see "
            "how a loss goes on / 1 losses are no finite numbers, 0 epochs are missing; collect "
            "longer runs");
  EXPECT_EQ(complaint(fresh_run("a", {2, 1}), 5),
            "1 of 1 runs have epochs that follow each other; at least 5 are needed / 0 losses are "
            "no finite numbers, 0 epochs are missing; collect longer runs");
  EXPECT_EQ(complaint(fresh_run("a", {2, 1}), 1), "enough");
}

TEST(LearningExamples, SayThatNothingWasPruned) {
  try {
    require_change_examples(tell_stories(fresh_run("a", {2, 1})), 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "0 runs have a row with the event prune and the loss before it; at least 1 is "
                 "needed to learn what pruning does");
  }
}

}  // namespace
}  // namespace espalier
