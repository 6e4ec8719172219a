// SPDX-License-Identifier: Apache-2.0
#include "search/cost_front.h"

#include <gtest/gtest.h>

#include "strategies/exact.h"
#include "support/random_scenario.h"

namespace espalier {
namespace {

using support::random_scenario;

TEST(CostFront, NothingIsLeftToPayAtTheGoal) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Problem problem = Problem::estimated(random_scenario(seed, {}));
    const SearchGraph graph(problem, Estimator::Expected, PlanShape::any());
    CostFront front(graph, 0, 1);
    front.extend_to(problem.start(), {}, 10'000'000);
    for (NodeIndex node = 0; node < graph.size(); ++node) {
      EXPECT_EQ(front.bound(node, 0.99 * problem.goal().loss.value), 0) << seed;
    }
  }
}

TEST(CostFront, BoundsRiseWithTheLoss) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Problem problem = Problem::estimated(random_scenario(seed, {}));
    const SearchGraph graph(problem, Estimator::Expected, PlanShape::any());
    CostFront front(graph, 1, 0.3);
    front.extend_to(problem.start(), {}, 10'000'000);
    for (NodeIndex node = 0; node < graph.size(); ++node) {
      double before = 0;
      for (double loss = 0.1; loss < problem.ceiling(); loss += 0.05) {
        EXPECT_GE(front.bound(node, loss), before) << seed;
        before = front.bound(node, loss);
      }
    }
  }
}

TEST(CostFront, NeverExceedsWhatThePlanStillSpends) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Problem problem = Problem::estimated(random_scenario(seed, {.epochs = 10}));
    const SearchGraph graph(problem, Estimator::Expected, PlanShape::any());
    const auto result = exact_strategy().planner(problem, {})->plan(problem.start(), {});
    if (!result.plan) continue;
    CostFront energy(graph, 1, 0);
    CostFront time(graph, 0, 1);
    energy.extend_to(problem.start(), {}, 10'000'000);
    time.extend_to(problem.start(), {}, 10'000'000);
    const State end = result.plan->end();
    for (std::size_t i = 1; i <= result.plan->steps.size(); ++i) {
      const State at = result.plan->after(i);
      const NodeIndex node = graph.node_of(at.placement, at.epoch);
      EXPECT_LE(energy.bound(node, at.loss.value), (end.energy - at.energy).value + 1e-9) << seed;
      EXPECT_LE(time.bound(node, at.loss.value), (end.time - at.time).value + 1e-9) << seed;
    }
  }
}

}  // namespace
}  // namespace espalier
