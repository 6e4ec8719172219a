// SPDX-License-Identifier: Apache-2.0
#include "datasets/draws.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Draws, DependOnSeedPurposeAndNumber) {
  const auto first = [](std::uint64_t seed, const char* purpose, std::uint64_t number) {
    return Draws(seed, purpose, number).bits();
  };
  EXPECT_EQ(first(1, "a", 0), first(1, "a", 0));
  EXPECT_NE(first(1, "a", 0), first(2, "a", 0));
  EXPECT_NE(first(1, "a", 0), first(1, "b", 0));
  EXPECT_NE(first(1, "a", 0), first(1, "a", 1));
}

TEST(Draws, BelowIsEven) {
  Draws draws(1, "test");
  std::vector<int> counts(7);
  for (int i = 0; i < 70'000; ++i) ++counts[draws.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);
}

TEST(Draws, ShufflesToEveryOrderAlike) {
  Draws draws(1, "test");
  std::vector<int> counts(6);
  for (int i = 0; i < 12'000; ++i) {
    std::vector<int> order{0, 1, 2};
    shuffle(order, draws);
    ++counts[order[0] * 2 + (order[1] > order[2] ? 1 : 0)];
  }
  for (const int count : counts) EXPECT_NEAR(count, 2000, 200);
}

// Mean and variance of a gamma variate are its shape.
TEST(Draws, GammaHasTheMomentsOfItsShape) {
  for (const double shape : {0.3, 1.0, 4.5}) {
    Draws draws(3, "test");
    constexpr int kCount = 100'000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kCount; ++i) {
      const double x = std::exp(draws.log_gamma(shape));
      sum += x;
      squares += x * x;
    }
    const double mean = sum / kCount;
    EXPECT_NEAR(mean, shape, 0.03 * shape);
    EXPECT_NEAR(squares / kCount - mean * mean, shape, 0.06 * shape);
  }
}

TEST(Draws, GammaNearZeroDoesNotUnderflow) {
  Draws draws(3, "test");
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(std::isfinite(draws.log_gamma(0.001)));
}

}  // namespace
}  // namespace espalier
