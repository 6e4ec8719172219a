// SPDX-License-Identifier: Apache-2.0
#include "policies/run_belief.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "realisations/normal_quantile.h"
#include "realisations/truth.h"

namespace espalier {
namespace {

constexpr int kQuantiles = 20'000;

// One placement that learns slowly, so that a run has many epochs.
Problem slow_learning(const NoiseSpec& noise, double floor = 0.05) {
  Scenario s;
  s.name = "slow";
  s.goal = {Loss{0.1}, Seconds{1e6}, 0.9};
  s.start = {{0}, {0}, Loss{2}};
  s.models = {{"L", {}, 0}};
  s.node_sets = {{"gold", {}, {}}};
  s.runs = {
      {{0}, {0}, Seconds{1}, Joules{1}, {RuleShape{PowerRule{0.004, floor, 1.2}}, noise, {}}}};
  return Problem::estimated(s);
}

struct Watched {
  RunBelief belief;
  double luck = 0;
};

Watched watch(const Problem& problem, std::uint64_t run, int epochs) {
  const Truth truth(problem, 7, run);
  Watched watched{{}, truth.luck_of_run()};
  State now = problem.start();
  for (int k = 0; k < epochs; ++k) {
    const State next = *truth.advance(now, {0});
    watched.belief.observe(problem, now, next);
    now = next;
  }
  return watched;
}

TEST(RunBelief, FindsTheLuckOfARun) {
  const Problem problem = slow_learning({0.3, 0.3});
  for (std::uint64_t run = 0; run < 20; ++run) {
    const Watched early = watch(problem, run, 3);
    const Watched late = watch(problem, run, 400);
    EXPECT_NEAR(early.belief.variance(), 1.0 / 4, 1e-9);
    EXPECT_NEAR(late.belief.variance(), 1.0 / 401, 1e-9);
    EXPECT_NEAR(early.belief.mean(), early.luck, 4 * std::sqrt(early.belief.variance()));
    EXPECT_NEAR(late.belief.mean(), late.luck, 4 * std::sqrt(late.belief.variance()));
  }
}

TEST(RunBelief, OneEpochTellsAllWhereEpochsHaveNoLuckOfTheirOwn) {
  const Watched watched = watch(slow_learning({0.2, 0}), 3, 1);
  EXPECT_EQ(watched.belief.variance(), 0);
  EXPECT_NEAR(watched.belief.mean(), watched.luck, 1e-6);
}

TEST(RunBelief, SkipsWhatSaysNothing) {
  const Watched no_common_luck = watch(slow_learning({0, 0.3}), 3, 20);
  EXPECT_EQ(no_common_luck.belief.variance(), 1);
  const Watched at_the_floor = watch(slow_learning({0.2, 0.3}, 2.5), 3, 20);
  EXPECT_EQ(at_the_floor.belief.variance(), 1);
}

// Against a sum over many values of A.
TEST(RunBelief, WeightsIntegrateWhatIsLinearBetweenNodes) {
  const PerLuck<double> nodes{-2.6, -1.9, -1.35, -0.9, -0.4, 0.2, 1.1, 2.3};
  const PerLuck<double> value{9, 7, 6, 3, 2.5, 2, 1, 0.5};
  for (const int epochs : {0, 1, 5, 200}) {
    const RunBelief belief = watch(slow_learning({0.3, 0.3}), 5, epochs).belief;
    const PerLuck<double> weights = belief.weights(nodes);
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-12);
    double numeric = 0;
    for (int i = 0; i < kQuantiles; ++i) {
      const double z = portable_normal_quantile((i + 0.5) / kQuantiles);
      const double luck = belief.mean() + std::sqrt(belief.variance()) * z;
      std::size_t cell = 0;
      while (cell + 2 < kLuckNodes && nodes[cell + 1] < luck) ++cell;
      const double share =
          std::clamp((luck - nodes[cell]) / (nodes[cell + 1] - nodes[cell]), 0.0, 1.0);
      numeric += (value[cell] + share * (value[cell + 1] - value[cell])) / kQuantiles;
    }
    double exact = 0;
    for (std::size_t j = 0; j < kLuckNodes; ++j) exact += weights[j] * value[j];
    EXPECT_NEAR(exact, numeric, 2e-4) << epochs;
  }
}

}  // namespace
}  // namespace espalier
