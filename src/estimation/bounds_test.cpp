// SPDX-License-Identifier: Apache-2.0
#include "estimation/bounds.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/synthetic_traces.h"

namespace espalier {
namespace {

TEST(Bounds, LetNothingFallFasterThanOneOverTheEpochsAhead) {
  const History history = history_of({2, 1.6, 1.4, 1.2});
  EXPECT_DOUBLE_EQ(promised_loss(history, 1), 1.2 / 2);
  EXPECT_DOUBLE_EQ(promised_loss(history, 5), 1.2 / 6);
}

// At a rate that has been falling for 4 epochs.
TEST(Bounds, AreHigherWhereAScheduleIsUnderWay) {
  const History history = history_of({2, 1.6, 1.4, 1.2, 1.1});
  EXPECT_DOUBLE_EQ(promised_loss(history, 5, {.head_start = 1 + 4}), 1.1 * 5 / 10);
}

TEST(Bounds, AreHigherWithAFloorOrRarerAveraging) {
  const History history = history_of({2, 1.6});
  const double bound = promised_loss(history, 3);
  EXPECT_GT(promised_loss(history, 3, {.floor = 0.5}), bound);
  EXPECT_GT(promised_loss(history, 3, {.head_start = 8}), bound);
  EXPECT_EQ(promised_loss(history, 3, {.floor = 5}), 1.6) << "a floor that was passed is none";
  EXPECT_THROW(promised_loss(history, 3, {.head_start = 0.5}), Error);
}

// A curve that converges as theory says, floor + C/(γ + k), is above the bound that knows no
// schedule, and keeps to the envelope of the one that does.
TEST(Bounds, HoldForACurveThatConvergesAsTheorySays) {
  std::vector<double> losses(50);
  for (std::size_t k = 0; k < losses.size(); ++k) losses[k] = 0.2 + 3.0 / (1.0 + double(k));
  for (std::size_t now = 1; now + 5 < losses.size(); ++now) {
    const History history = history_of({losses.begin(), losses.begin() + std::ptrdiff_t(now)});
    EXPECT_LE(promised_loss(history, 5, {.floor = 0.2}), losses[now + 4] + 1e-12);
    const EnvelopeOptions scheduled{.floor = 0.2, .head_start = double(now)};
    EXPECT_NEAR(promised_loss(history, 5, scheduled), losses[now + 4], 1e-12);
  }
}

Pruning pruning(double from, double to, double before) {
  Pruning change{.from = from, .to = to};
  change.before.fill(before);
  return change;
}

TEST(Bounds, GrowWithThePrunedShare) {
  const std::vector<ChangeExample> seen{{pruning(0, 0.5, 0.4), 0.9}, {pruning(0, 0.25, 0.4), 0.65}};
  const PruningHarm harm = least_harm(seen);
  EXPECT_DOUBLE_EQ(harm.per_share, 1);
  EXPECT_DOUBLE_EQ(promised_loss(pruning(0, 0.25, 0.3), harm), 0.55);
  EXPECT_DOUBLE_EQ(promised_loss(pruning(0, 0.75, 0.3), harm), 1.05);
  EXPECT_DOUBLE_EQ(promised_loss(pruning(0.5, 0.75, 0.3), harm), 0.8) << "half of what was left";
}

TEST(Bounds, TakeTheHarmThatNearlyAllPruningsDid) {
  std::vector<ChangeExample> seen(100);
  for (std::size_t i = 0; i < seen.size(); ++i)
    seen[i] = {pruning(0, 0.5, 1), 1 + 0.01 * double(i)};
  EXPECT_NEAR(least_harm(seen).per_share, 0.1, 1e-12);
  EXPECT_NEAR(least_harm(seen, 0.5).per_share, 1, 1e-12);
}

TEST(Bounds, ClaimNoHarmWithoutEvidence) {
  EXPECT_EQ(least_harm({}).per_share, 0);
  const std::vector<ChangeExample> helped{{pruning(0, 0.5, 1), 0.9}};
  EXPECT_EQ(least_harm(helped).per_share, 0);
  EXPECT_EQ(promised_loss(pruning(0, 0.5, 1), least_harm(helped)), 1);
}

}  // namespace
}  // namespace espalier
