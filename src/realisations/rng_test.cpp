// SPDX-License-Identifier: Apache-2.0
#include "realisations/rng.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/learning_rule.h"

namespace espalier {
namespace {

TEST(PortableNormalQuantile, AgreesWithTheDefinition) {
  for (const double q : {1e-12, 1e-6, 0.001, 0.05, 0.0749, 0.0751, 0.3, 0.5, 0.8, 0.95, 0.999999}) {
    EXPECT_NEAR(portable_normal_quantile(q), normal_quantile(q), 1e-9) << q;
  }
  EXPECT_NEAR(portable_normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_EQ(portable_normal_quantile(0.25), -portable_normal_quantile(0.75));
}

// Python's integers and statistics.NormalDist().inv_cdf give the same.
TEST(CounterRng, IsTheSameOnEveryMachine) {
  const CounterRng rng(42);
  EXPECT_EQ(rng.bits({0, 0, 0}), 0xc16129ecd0dc5b93U);
  EXPECT_EQ(rng.normal({3, 2, 7}), 0.9449223731869711);
}

TEST(CounterRng, TellsSeedsRunsStreamsAndIndicesApart) {
  const CounterRng rng(1);
  const double draw = rng.uniform({1, 2, 3});
  EXPECT_NE(draw, CounterRng(2).uniform({1, 2, 3}));
  EXPECT_NE(draw, rng.uniform({2, 2, 3}));
  EXPECT_NE(draw, rng.uniform({1, 3, 3}));
  EXPECT_NE(draw, rng.uniform({1, 2, 4}));
  EXPECT_EQ(draw, rng.uniform({1, 2, 3}));
}

TEST(CounterRng, DrawsStandardNormals) {
  const CounterRng rng(7);
  constexpr int kDraws = 100'000;
  double sum = 0;
  double squares = 0;
  double neighbours = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double z = rng.normal({i, 1, 0});
    sum += z;
    squares += z * z;
    neighbours += z * rng.normal({i + 1, 1, 0});
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.02);
  EXPECT_NEAR(squares / kDraws, 1, 0.02);
  EXPECT_NEAR(neighbours / kDraws, 0, 0.02);
}

}  // namespace
}  // namespace espalier
