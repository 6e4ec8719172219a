// SPDX-License-Identifier: Apache-2.0
#include "estimation/run_correction.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

// Each forecast says that the loss falls by 0.1, give or take 0.03; it falls by `fall`.
std::vector<Recalled> recalled(int count, double fall) {
  std::vector<Recalled> all;
  for (int i = 0; i < count; ++i) all.push_back({1, {0.87, 0.9, 0.93}, 1 - fall});
  return all;
}

TEST(RunCorrection, NothingRecalledNothingCorrected) {
  EXPECT_EQ(learn_correction({}), RunCorrection{});
}

TEST(RunCorrection, ASlowRunIsForecastToStaySlow) {
  const RunCorrection correction = learn_correction(recalled(10, 0.05));
  EXPECT_NEAR(correction.fall, 0.5, 0.05);
  const LossesAhead ranges = corrected({{0.7, 0.8, 0.9}}, 1, correction);
  EXPECT_NEAR(ranges[0].mean, 0.9, 0.01);
}

TEST(RunCorrection, OneForecastIsBelievedLessThanMany) {
  EXPECT_GT(learn_correction(recalled(1, 0.05)).fall, learn_correction(recalled(10, 0.05)).fall);
}

TEST(RunCorrection, IsBelievedTheLessTheMoreTheUsualCounts) {
  const auto slow = recalled(10, 0.05);
  EXPECT_GT(learn_correction(slow, {100, 100}).fall, learn_correction(slow, {10, 10}).fall);
  EXPECT_NEAR(learn_correction(slow, {1e9, 1e9}).fall, 1, 1e-3);
  EXPECT_NEAR(learn_correction(slow, {1e9, 1e9}).width, 1, 1e-3);
}

TEST(RunCorrection, ASteadyRunGetsNarrowerRanges) {
  const RunCorrection correction = learn_correction(recalled(30, 0.1));
  EXPECT_LT(correction.width, 0.9);
  EXPECT_NEAR(correction.fall, 1, 1e-9);
}

TEST(RunCorrection, AnErraticRunGetsWiderRanges) {
  std::vector<Recalled> all = recalled(10, 0.18);
  for (std::size_t i = 0; i < all.size(); i += 2) all[i].came = 0.98;
  EXPECT_GT(learn_correction(all).width, 1.5);
}

TEST(RunCorrection, ARunThatIsAsSteadyAsAnyOtherKeepsItsRanges) {
  const auto steady = recalled(30, 0.11);
  const SquareSum squares = squares_of(steady, {1e9, 10});
  const UsualCounts usual{1e9, 10, squares.sum / squares.weight};
  EXPECT_LT(usual.square, 0.5);
  EXPECT_NEAR(learn_correction(steady, usual).width, 1, 1e-9);
}

TEST(RunCorrection, OneLossThatIsFarOutIsNoProofOfWildness) {
  std::vector<Recalled> all = recalled(30, 0.1);
  all.back().came = 100;
  EXPECT_LT(learn_correction(all, {1e9, 10}).width, 1.2);
}

TEST(RunCorrection, NeverGoesToExtremes) {
  EXPECT_LE(learn_correction(recalled(40, 0.9)).fall, 3);
  EXPECT_GE(learn_correction(recalled(40, -0.9)).fall, 1.0 / 3);
}

}  // namespace
}  // namespace espalier
