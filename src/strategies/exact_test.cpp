// SPDX-License-Identifier: Apache-2.0
#include "strategies/exact.h"

#include <gtest/gtest.h>

#include "support/oracle.h"
#include "support/replanning.h"

namespace espalier {
namespace {

using support::OracleCounts;
using support::random_scenario;

TEST(Exact, EqualsBruteForceOnRandomScenarios) {
  const OracleCounts counts = support::expect_equals_brute_force(exact_strategy(), 60, 5);
  EXPECT_GT(counts.optimal, 60);
  EXPECT_GT(counts.infeasible, 40);
}

TEST(Exact, ReplansFromAnyStateAsWellAsFromTheStart) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Scenario scenario = random_scenario(seed, {.epochs = 12});
    const Problem problem = Problem::estimated(scenario);
    auto planner = exact_strategy().planner(problem, {});
    const PlanResult first = planner->plan(problem.start(), {});
    if (!first.plan || first.plan->steps.size() < 2) continue;
    State observed = first.plan->after(1);
    observed.loss.value *= 1.02;
    const PlanResult again = planner->plan(observed, {});
    const PlanResult afresh = exact_strategy().planner(problem, {})->plan(observed, {});
    ASSERT_EQ(again.verdict, afresh.verdict) << seed;
    if (again.plan) {
      EXPECT_NEAR(again.plan->end().energy.value, afresh.plan->end().energy.value, 1e-9) << seed;
    }
  }
}

TEST(Exact, ReplansLongPlansAsWellAsFromScratch) {
  const support::ReplanCounts counts = support::expect_replans_like_fresh_planners(0, 16);
  EXPECT_GE(counts.optimal, 50);
  EXPECT_GE(counts.long_plans, 15);
  EXPECT_GE(counts.infeasible, 1);
}

TEST(Exact, StoppedEarlyStillBoundsTheOptimum) {
  const Scenario scenario = random_scenario(5, {.max_models = 3, .max_node_sets = 3, .epochs = 40});
  const Problem problem = Problem::estimated(scenario);
  const PlanResult best = exact_strategy().planner(problem, {})->plan(problem.start(), {});
  ASSERT_EQ(best.verdict, Verdict::Optimal);
  std::stop_source source;
  source.request_stop();
  const PlanResult stopped =
      exact_strategy().planner(problem, {})->plan(problem.start(), source.get_token());
  EXPECT_EQ(stopped.verdict, Verdict::Limit);
  EXPECT_LE(stopped.lower_bound.value, best.plan->end().energy.value + 1e-9);
}

TEST(Exact, AGoalAlreadyReachedNeedsNoEpoch) {
  Scenario scenario = random_scenario(3, {});
  scenario.goal.loss = Loss{2.5};
  const Problem problem = Problem::estimated(scenario);
  const PlanResult result = exact_strategy().planner(problem, {})->plan(problem.start(), {});
  EXPECT_EQ(result.verdict, Verdict::Optimal);
  ASSERT_TRUE(result.plan);
  EXPECT_TRUE(result.plan->steps.empty());
}

}  // namespace
}  // namespace espalier
