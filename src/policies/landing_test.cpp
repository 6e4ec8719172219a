// SPDX-License-Identifier: Apache-2.0
#include "policies/landing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "core/portable_math.h"
#include "policies/normal_distribution.h"
#include "realisations/normal_quantile.h"

namespace espalier {
namespace {

const LossGrid kGrid(0.3, 2.5, 60);
constexpr int kDraws = 20'000;
constexpr double kSpread = 0.4;

double total(const KnotWeights& row) {
  return std::accumulate(row.weights.begin(), row.weights.end(), 0.0);
}

double mean_of(const KnotWeights& row, double (*f)(double)) {
  double sum = 0;
  for (std::size_t i = 0; i < row.weights.size(); ++i)
    sum += row.weights[i] * f(kGrid.knot(row.first + i));
  return sum;
}

TEST(NormalDistribution, AgreesWithTheCLibrary) {
  for (double z = -8; z <= 8; z += 0.03) {
    EXPECT_NEAR(portable_normal_share_below(z), 0.5 * std::erfc(-z / std::sqrt(2.0)), 2e-15) << z;
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * 3.14159265358979323846);
    EXPECT_NEAR(portable_normal_mean_above(z), density - z * 0.5 * std::erfc(z / std::sqrt(2.0)),
                4e-6)
        << z;
  }
}

TEST(Landing, WithoutSpreadIsASpotBetweenTwoKnots) {
  const LearningRule rule(PowerRule{0.1, 0.1, 1.3});
  const double loss = 1.7;
  const KnotWeights row = spread_over(kGrid, epoch_landing(rule, loss, 1, 0));
  EXPECT_NEAR(total(row), 1, 1e-12);
  EXPECT_NEAR(mean_of(row, [](double l) { return l; }), rule.next(1, loss), 1e-12);
}

// Means over what lands above the grid's first knot.
struct Means {
  double share = 0;
  double square = 0;  // of a function that bends, linear between the knots
};

Means over_many_draws(const LearningRule& rule, double loss, double luck) {
  Means means;
  for (int i = 0; i < kDraws; ++i) {
    const double z = portable_normal_quantile((i + 0.5) / kDraws);
    const double x = portable_exp(kSpread * z - 0.5 * kSpread * kSpread);
    const double next = rule.next(1, loss, luck * x);
    if (next <= kGrid.knot(0)) continue;
    const LossGrid::Spot spot = kGrid.find(next);
    const double a = kGrid.knot(spot.cell);
    const double b = kGrid.knot(spot.cell + 1);
    means.share += 1.0 / kDraws;
    means.square += (a * a + spot.share * (b * b - a * a)) / kDraws;
  }
  return means;
}

void expect_as_drawn(const LearningRule& rule, double loss, double luck) {
  SCOPED_TRACE(loss);
  const KnotWeights row = spread_over(kGrid, epoch_landing(rule, loss, luck, kSpread));
  const Means drawn = over_many_draws(rule, loss, luck);
  EXPECT_NEAR(total(row), drawn.share, 2e-4);
  EXPECT_NEAR(mean_of(row, [](double l) { return l * l; }), drawn.square, 4e-4);
  EXPECT_GE(*std::min_element(row.weights.begin(), row.weights.end()), 0);
}

// Near the goal and far from it, with the floor above and below.
TEST(Landing, WeightsAreThoseOfManyDraws) {
  for (const double floor : {0.05, 0.5, 0.85}) {
    const LearningRule rule(PowerRule{0.4, floor, 1});
    for (const double loss : {0.32, 0.6, 0.9, 1.8}) expect_as_drawn(rule, loss, 1.2);
  }
}

TEST(Landing, RandomJumpsKeepTheirMean) {
  const Jump jump{0.3, 1.1};
  double mean = 0;
  double weight = 0;
  for (const WeightedJump& one : weighted_jumps(jump, 0.25)) {
    mean += one.weight * one.jump.apply(1);
    weight += one.weight;
  }
  EXPECT_NEAR(weight, 1, 1e-12);
  EXPECT_NEAR(mean, jump.apply(1), 1e-4);
  EXPECT_EQ(weighted_jumps(jump, 0).size(), 1U);
}

}  // namespace
}  // namespace espalier
