// SPDX-License-Identifier: Apache-2.0
#include "outlook/believed_curves.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(FallingCurve, GoesStraightOverWhatRises) {
  const CurveRule rule = falling_curve({1, 0.8, 0.9, 0.6, 0.5});
  ASSERT_EQ(rule.points.size(), 5);
  EXPECT_DOUBLE_EQ(rule.points[1], 0.8);
  EXPECT_DOUBLE_EQ(rule.points[2], 0.7);
  EXPECT_DOUBLE_EQ(rule.points[3], 0.6);
}

TEST(FallingCurve, EndsAtItsLowest) {
  EXPECT_EQ(falling_curve({1, 0.5, 0.50001, 0.6}).points, (std::vector<double>{1, 0.5}));
  EXPECT_EQ(falling_curve({1, 0.5, 0, 0}).points, (std::vector<double>{1, 0.5, 0}));
  EXPECT_EQ(falling_curve({1, 2, 3}).points, (std::vector<double>{1, 0.999}));
  EXPECT_EQ(falling_curve({0, 0}).points.back(), 0);
}

Imagined imagined_fall(std::size_t epochs, double width) {
  Imagined imagined{.arrival = {1, 1, 1}};
  for (std::size_t h = 1; h <= epochs; ++h) {
    const double mean = 1.0 / (1.0 + 0.1 * static_cast<double>(h));
    imagined.losses.push_back({mean - width, mean, mean + width});
  }
  return imagined;
}

TEST(CurvesOf, TheRobustOneIsNowhereBelowTheExpectedOne) {
  const Estimated<CurveRule> curves = curves_of(imagined_fall(30, 0.05));
  ASSERT_LE(curves.robust.points.size(), curves.expected.points.size());
  for (std::size_t i = 0; i < curves.robust.points.size(); ++i) {
    EXPECT_GE(curves.robust.points[i], curves.expected.points[i]);
  }
  EXPECT_TRUE(std::is_sorted(curves.robust.points.rbegin(), curves.robust.points.rend()));
}

TEST(NoiseOf, WaysThatAreAlikeHaveNone) {
  Imagined imagined = imagined_fall(10, 0);
  std::vector<double> way;
  for (const LossRange& range : imagined.losses) way.push_back(range.mean);
  imagined.ways.assign(5, way);
  EXPECT_EQ(noise_of(imagined, 0.1), NoiseSpec{});
}

TEST(NoiseOf, ALuckyRunIsLuckyAllTheWay) {
  // Decreases of 0.8, 1 and 1.2 times the expected ones, all along: luck of the run alone.
  Imagined imagined = imagined_fall(10, 0.1);
  for (const double luck : {0.8, 1.0, 1.2}) {
    auto& way = imagined.ways.emplace_back();
    for (const LossRange& range : imagined.losses) way.push_back(1 - luck * (1 - range.mean));
  }
  const NoiseSpec noise = noise_of(imagined, 0);
  EXPECT_NEAR(noise.run, 0.16, 0.01);
  EXPECT_NEAR(noise.epoch, 0, 1e-6);
}

TEST(NoiseOf, WhatEvensOutIsLuckOfEpochs) {
  Imagined imagined = imagined_fall(10, 0.1);
  for (const double luck : {0.5, 1.0, 1.5}) {
    auto& way = imagined.ways.emplace_back();
    for (const LossRange& range : imagined.losses) way.push_back(range.mean);
    way.front() = 1 - luck * (1 - way.front());
  }
  const NoiseSpec noise = noise_of(imagined, 0);
  EXPECT_NEAR(noise.run, 0, 1e-6);
  EXPECT_GT(noise.epoch, 0.3);
}

// Falls by `fall` from `arrival` with each epoch.
Imagined straight(double arrival, double fall, std::size_t epochs) {
  Imagined imagined{.arrival = {arrival, arrival, arrival}};
  for (std::size_t h = 1; h <= epochs; ++h) {
    const double loss = arrival - fall * static_cast<double>(h);
    imagined.losses.push_back({loss, loss, loss});
  }
  return imagined;
}

TEST(WorthOfArrival, IsWhereTheReferenceHasAsFarToGo) {
  // From 2 to 1 in 5 epochs, where the reference takes 10.
  EXPECT_NEAR(worth_of_arrival(straight(2, 0.2, 8), straight(2, 0.1, 15), 1), 1.5, 1e-12);
  // In 20 epochs: before its beginning it would have gone on upwards.
  EXPECT_NEAR(worth_of_arrival(straight(2, 0.05, 25), straight(2, 0.1, 15), 1), 3, 1e-12);
}

TEST(WorthOfArrival, ComparesWhereBothArriveIfTheGoalIsOutOfReach) {
  // To 1.5, no further: 10 epochs instead of 5.
  EXPECT_NEAR(worth_of_arrival(straight(2, 0.05, 10), straight(2, 0.1, 15), 1), 2.5, 1e-12);
  EXPECT_EQ(worth_of_arrival(straight(0.9, 0.1, 5), straight(2, 0.1, 15), 1), 0.9)
      << "there is nothing to compare";
}

TEST(PrecededBy, GoesOnUpwards) {
  const Imagined whole = preceded_by({{2, 3}, {1.5, 9}, {4, 3.5}}, straight(2, 0.1, 3));
  EXPECT_NEAR(whole.arrival.mean, 3.5, 1e-12);
  ASSERT_EQ(whole.losses.size(), 4U + 3U);
  EXPECT_NEAR(whole.losses[1].mean, 3, 1e-12);
  EXPECT_NEAR(whole.losses[2].mean, 2.5, 1e-12);
  EXPECT_NEAR(whole.losses[3].mean, 2, 1e-12);
  EXPECT_NEAR(whole.losses[4].mean, 1.9, 1e-12);
}

TEST(JumpOf, IsTheLineThroughTheMeans) {
  const std::vector<ImaginedJump> points{{1, {1.1, 1.2, 1.4}}, {0.5, {0.6, 0.8, 1.0}}};
  const JumpBelief belief = jump_of(points);
  EXPECT_NEAR(belief.jump.expected.scale, 0.8, 1e-12);
  EXPECT_NEAR(belief.jump.expected.add, 0.4, 1e-12);
  EXPECT_NEAR(belief.jump.robust.apply(1), 1.4, 1e-12);
  EXPECT_GT(belief.noise, 0);
}

TEST(JumpOf, OnePointIsAddedTo) {
  const std::vector<ImaginedJump> points{{1, {1.3, 1.3, 1.3}}};
  EXPECT_NEAR(jump_of(points).jump.expected.add, 0.3, 1e-12);
  EXPECT_EQ(jump_of(points).jump.expected.scale, 1);
}

TEST(JumpOf, NeverFallsWithTheLossBefore) {
  const std::vector<ImaginedJump> points{{1, {1, 1, 1}}, {0.5, {2, 2, 2}}};
  EXPECT_GT(jump_of(points).jump.expected.scale, 0);
}

TEST(JumpOf, NeverPromisesLossesBelowNothing) {
  // So steep that the line through both would be at 0 where the loss is 0.8.
  const std::vector<ImaginedJump> points{{2, {1.8, 1.8, 1.8}}, {1.8, {1.5, 1.5, 1.5}}};
  const Jump jump = jump_of(points).jump.expected;
  EXPECT_NEAR(jump.apply(1.9), 1.65, 1e-12);
  EXPECT_GE(jump.add, -1e-12);
  EXPECT_GT(jump.apply(0.2), 0.15);
}

}  // namespace
}  // namespace espalier
