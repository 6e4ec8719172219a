// SPDX-License-Identifier: Apache-2.0
#include "search/linear_bound.h"

#include <gtest/gtest.h>

#include "search/cost_front.h"
#include "search/linear_pricing.h"
#include "strategies/exact.h"
#include "support/random_scenario.h"

namespace espalier {
namespace {

using support::random_scenario;
using support::RuleKind;

TEST(LinearBound, NeedsLossesThatAddUp) {
  const Problem steps = Problem::estimated(random_scenario(1, {.kind = RuleKind::Steps}));
  const Problem power = Problem::estimated(random_scenario(1, {.kind = RuleKind::Power}));
  EXPECT_TRUE(AdditiveGraph::of({steps, Estimator::Expected, PlanShape::any()}));
  EXPECT_FALSE(AdditiveGraph::of({power, Estimator::Expected, PlanShape::any()}));
}

TEST(LinearBound, IsNeverAboveTheFront) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Problem problem = Problem::estimated(random_scenario(seed, {.kind = RuleKind::Steps}));
    const SearchGraph graph(problem, Estimator::Expected, PlanShape::any());
    const auto additive = AdditiveGraph::of(graph);
    if (!additive) continue;  // a jump that scales
    ++compared;
    CostFront front(graph, 1, 0.4);
    front.extend_to(1e300, {}, 10'000'000);
    for (const double price : {0.0, 0.5, 2.0, 10.0}) {
      const LinearBound bound(*additive, {1, 0.4, price});
      ASSERT_TRUE(bound.is_valid());
      EXPECT_LE(bound.from(problem.start()), front.from(problem.start()) + 1e-9) << seed;
      for (NodeIndex node = 0; node < graph.size(); ++node) {
        for (double loss = 0.2; loss < problem.start().loss.value; loss += 0.1)
          EXPECT_LE(bound.on_arrival(node, loss), front.on_arrival(node, loss) + 1e-9) << seed;
      }
    }
  }
  EXPECT_GE(compared, 20);
}

TEST(LinearPricing, BoundsTheOptimumClosely) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem =
        Problem::estimated(random_scenario(seed, {.epochs = 60, .kind = RuleKind::Steps}));
    const SearchGraph graph(problem, Estimator::Expected, PlanShape::any());
    const auto additive = AdditiveGraph::of(graph);
    if (!additive) continue;
    const LinearPricing pricing = price_time_and_loss(*additive, problem.start());
    const auto result = exact_strategy().planner(problem, {})->plan(problem.start(), {});
    if (!result.plan) continue;
    const State end = result.plan->end();
    EXPECT_LE(pricing.least_energy, end.energy.value * (1 + 1e-9)) << seed;
    EXPECT_LE(pricing.least_time, end.time.value * (1 + 1e-9)) << seed;
    EXPECT_GT(pricing.least_energy, 0.3 * end.energy.value) << seed;
    ++compared;
  }
  EXPECT_GE(compared, 20);
}

}  // namespace
}  // namespace espalier
