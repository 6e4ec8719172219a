// SPDX-License-Identifier: Apache-2.0
#include "realisations/rng.h"

#include <vector>

#include <gtest/gtest.h>

namespace espalier {
namespace {

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

TEST(CounterRng, DrawsManyAsItDrawsOne) {
  const CounterRng rng(7);
  std::vector<double> z(3001);
  rng.normals({5, 2, 9}, z);
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_EQ(z[i], rng.normal({5 + i, 2, 9}));
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
