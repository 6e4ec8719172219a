// SPDX-License-Identifier: Apache-2.0
#include "estimation/kindred_stages.h"

#include <cmath>

#include <gtest/gtest.h>

#include "estimation/kinship.h"
#include "realisations/rng.h"

namespace espalier {
namespace {

constexpr Conditions kGold{0, 8'000, 10};
constexpr Conditions kBronze{0.75, 1'500, 10};

// What a family's losses are multiplied by.
struct Luck {
  double of_family = 0;
  double of_epoch = 0;
};

// Gold trains for some epochs, bronze for `after` more: the longer gold did, the faster.
RunStory story_of(std::uint64_t family, int before, int after, const Luck& luck) {
  const CounterRng rng(7);
  RunStory story{.run = std::to_string(family) + "/" + std::to_string(before),
                 .family = std::to_string(family)};
  const double shared = luck.of_family * rng.normal({.run = family, .stream = 1});
  for (int k = 0; k <= before; ++k)
    story.points.push_back({.loss = 2.3 * std::exp(-0.1 * k), .epoch = k, .now = kGold});
  const std::size_t stage = story.points.size();
  const double rate = 0.02 + 0.01 * std::log(1 + before);
  for (int k = 0; k <= after; ++k) {
    const double own =
        luck.of_epoch * rng.normal({.run = family, .stream = 2, .index = std::uint64_t(k)});
    story.points.push_back({.loss = 2 * std::exp(-rate * k + (k > 0 ? shared + own : 0)),
                            .epoch = before + k,
                            .now = kBronze,
                            .stage = stage,
                            .is_own = true,
                            .is_epoch = k > 0});
  }
  return story;
}

std::vector<RunStory> stories(std::initializer_list<int> befores, const Luck& luck,
                              std::uint64_t families = 6) {
  std::vector<RunStory> all;
  for (std::uint64_t family = 0; family < families; ++family) {
    for (const int before : befores) all.push_back(story_of(family, before, 60, luck));
  }
  return all;
}

// After so many epochs of the second stage.
History history_after(const RunStory& story, std::size_t epochs) {
  const std::size_t stage = story.points.back().stage;
  History history{.losses = {}, .now = kBronze, .stage = stage, .before = kGold};
  for (std::size_t i = 0; i <= stage + epochs; ++i) history.losses.push_back(story.points[i].loss);
  return history;
}

History arrived(int before) { return history_after(story_of(99, before, 1, {}), 0); }

double loss_ahead(const KindredEstimator& estimator, const History& history, std::size_t epochs) {
  return estimator.ahead(history, epochs)->back().mean;
}

TEST(KindredStages, GoOnAsThoseThatBeganAlikeDid) {
  const KindredEstimator estimator(learn_kindred(stories({1, 5, 20}, {0.02, 0.01})));
  for (const int before : {1, 5, 20}) {
    const double rate = 0.02 + 0.01 * std::log(1 + before);
    EXPECT_NEAR(loss_ahead(estimator, arrived(before), 50) / (2 * std::exp(-rate * 50)), 1, 0.05);
  }
}

TEST(KindredStages, BetweenTwoThatWereTracedLiesBetweenTheirs) {
  const KindredEstimator estimator(learn_kindred(stories({1, 5, 20}, {0.02, 0.01})));
  const double rate = 0.02 + 0.01 * std::log(1 + 10);
  EXPECT_NEAR(loss_ahead(estimator, arrived(10), 50) / (2 * std::exp(-rate * 50)), 1, 0.15);
}

TEST(KindredStages, WhoBeganSoonerThanAllOthersIsExpectedToDoWorse) {
  const KindredEstimator estimator(learn_kindred(stories({3, 5, 8}, {0.01, 0.01})));
  EXPECT_GT(loss_ahead(estimator, arrived(2), 50), 1.02 * loss_ahead(estimator, arrived(3), 50));
}

TEST(KindredStages, WhereNothingBeganAlikeThereIsNoForecast) {
  const KindredEstimator estimator(learn_kindred(stories({1, 5}, {0.02, 0.01})));
  History other = arrived(1);
  EXPECT_TRUE(estimator.ahead(other, 5));
  other.now.classes = 100;
  EXPECT_FALSE(estimator.ahead(other, 5));
  other = arrived(1);
  other.now.prune = 0.5;
  EXPECT_FALSE(estimator.ahead(other, 5));
  EXPECT_FALSE(estimator.ahead({.losses = {2.3, 2}, .now = kBronze}, 5)) << "a fresh network";
}

TEST(KindredStages, OneFamilyTeachesNothing) {
  EXPECT_TRUE(learn_kindred(stories({1, 5}, {0.02, 0.01}, 1)).stages.empty());
  EXPECT_TRUE(learn_kindred({}).stages.empty());
}

// Off by 10 % at epoch 20.
double share_that_lasts(const Luck& luck) {
  const KindredEstimator estimator(learn_kindred(stories({5}, luck, 12)));
  const RunStory usual = story_of(99, 5, 20, {});
  History unusual = history_after(usual, 20);
  for (std::size_t i = usual.points.back().stage + 1; i < unusual.losses.size(); ++i)
    unusual.losses[i] *= 1.1;
  const double ratio =
      loss_ahead(estimator, unusual, 20) / loss_ahead(estimator, history_after(usual, 20), 20);
  return std::log(ratio) / std::log(1.1);
}

TEST(KindredStages, WhatUsuallyLastsIsExpectedToLast) {
  EXPECT_GT(share_that_lasts({.of_family = 0.1, .of_epoch = 0.01}), 0.7);
  EXPECT_LT(share_that_lasts({.of_family = 0, .of_epoch = 0.1}), 0.3);
}

TEST(KindredStages, RangesHoldWhatComesAndMeansNeverRise) {
  const KindredEstimator estimator(learn_kindred(stories({5}, {0.1, 0.02}, 20)));
  int within = 0;
  for (std::uint64_t family = 100; family < 300; ++family) {
    const RunStory story = story_of(family, 5, 40, {0.1, 0.02});
    const auto ranges = *estimator.ahead(history_after(story, 0), 40);
    for (std::size_t i = 1; i < ranges.size(); ++i) EXPECT_LE(ranges[i].mean, ranges[i - 1].mean);
    const double came = story.points.back().loss;
    within += ranges.back().low <= came && came <= ranges.back().high ? 1 : 0;
  }
  EXPECT_NEAR(within / 200.0, 0.9, 0.07);
}

TEST(KindredStages, AStageThatEndedGoesOnMoreAndMoreSlowly) {
  const KindredStage stage{{}, {0, -0.5, -0.8, -1}};
  const std::vector<double> curve = mean_curve({{&stage, 1}}, 40);
  EXPECT_EQ(curve[3], -1);
  EXPECT_LT(curve[4], -1);
  EXPECT_GT(curve[5] - curve[4], curve[4] - curve[3]);
  EXPECT_GT(curve[39], -1 + 0.3 * -36);
}

}  // namespace
}  // namespace espalier
