// SPDX-License-Identifier: Apache-2.0
#include "fitting/fit_parts.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "estimation/torch/fit_estimators.h"

namespace espalier {
namespace {

std::vector<RunStory> named_stories(std::size_t count) {
  std::vector<RunStory> stories;
  for (std::size_t i = 0; i < count; ++i) stories.push_back({.run = "r" + std::to_string(i)});
  return stories;
}

Positions even_positions(std::size_t count) {
  Positions some;
  for (std::size_t i = 0; i < count; i += 2) some.push_back(i);
  return some;
}

TEST(FitParts, LeaveEnoughToLearnFromHoweverFewRunsThereAre) {
  for (std::size_t runs = kFewestRuns; runs < 60; ++runs) {
    for (const std::size_t wanted : {2U, 5U, 10U, 100U}) {
      const auto stories = named_stories(2 * runs);
      const std::size_t folds = folds_for(runs, wanted);
      const auto parts = deal_parts(stories, even_positions(2 * runs), {.count = folds});
      ASSERT_EQ(parts.size(), folds + 1);
      for (const FitParts& part : parts) {
        EXPECT_GE(part.learn.size(), kFewestLearned) << runs << " runs, " << folds << " folds";
        EXPECT_GE(part.validation.size(), 1U);
      }
    }
  }
  EXPECT_EQ(folds_for(100, 5), 5U);
  EXPECT_EQ(folds_for(6, 5), 6U) << "one judge at a time leaves most";
}

TEST(FitParts, NeverLearnFromThoseWhoJudgeOrValidate) {
  const auto stories = named_stories(40);
  const auto parts = deal_parts(stories, even_positions(40), {.count = 5});
  std::multiset<std::size_t> judges;
  for (const FitParts& part : parts) {
    std::set<std::size_t> all(part.learn.begin(), part.learn.end());
    all.insert(part.validation.begin(), part.validation.end());
    all.insert(part.judge.begin(), part.judge.end());
    EXPECT_EQ(all.size(), 20U) << "each usable run has exactly one part";
    EXPECT_EQ(part.learn.size() + part.validation.size() + part.judge.size(), 20U);
    judges.insert(part.judge.begin(), part.judge.end());
  }
  EXPECT_EQ(judges.size(), 20U) << "each judges once";
  EXPECT_TRUE(parts.back().judge.empty());
}

// So many seeds of 10 runs each.
std::vector<RunStory> stories_of_seeds(std::size_t seeds) {
  std::vector<RunStory> stories;
  for (std::size_t i = 0; i < 10 * seeds; ++i)
    stories.push_back({.run = "r" + std::to_string(i), .family = std::to_string(i / 10)});
  return stories;
}

Positions all_positions(std::size_t count) {
  Positions all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

TEST(FitParts, WholeFamiliesJudgeWhereThereAreThree) {
  for (const std::size_t seeds : {3U, 4U, 8U}) {
    const auto stories = stories_of_seeds(seeds);
    const Positions usable = all_positions(stories.size());
    const std::size_t folds = folds_for(stories, usable, 5);
    EXPECT_EQ(folds, std::min<std::size_t>(seeds, 5));
    const auto families = dealt_families(stories, usable, folds);
    for (std::size_t i = 0; i < stories.size(); ++i) EXPECT_EQ(families[i], i / 10);
    for (const FitParts& part : deal_parts(stories, usable, {.count = folds})) {
      std::set<std::size_t> judging;
      for (const std::size_t i : part.judge) judging.insert(i / 10);
      EXPECT_EQ(part.judge.size(), 10 * judging.size());
    }
  }
}

TEST(FitParts, RunsJudgeWhereThereAreFewFamilies) {
  const auto stories = stories_of_seeds(2);
  const Positions usable = all_positions(stories.size());
  EXPECT_EQ(folds_for(stories, usable, 5), 5U);
  EXPECT_FALSE(dealt_families(stories, usable, 5).front().has_value());
}

}  // namespace
}  // namespace espalier
