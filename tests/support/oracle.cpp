// SPDX-License-Identifier: Apache-2.0
#include "support/oracle.h"

#include <gtest/gtest.h>

#include "core/plan_checker.h"
#include "strategies/brute_force.h"

namespace espalier::support {

PlanResult expect_sound_plan(const Strategy& strategy, const Scenario& scenario,
                             const Problem& problem, const PlannerOptions& options) {
  PlanResult result = strategy.planner(problem, options)->plan(problem.start(), {});
  const bool must_reach = result.verdict == Verdict::Optimal || result.verdict == Verdict::Feasible;
  EXPECT_EQ(must_reach && !result.plan, false)
      << strategy.info().name << " has a verdict but no plan";
  const auto faults = check_plan(scenario, problem, result,
                                 must_reach ? GoalDemand::Needed : GoalDemand::NotNeeded);
  for (const std::string& fault : faults) ADD_FAILURE() << strategy.info().name << ": " << fault;
  return result;
}

OracleCounts expect_equals_brute_force(const Strategy& strategy, int count, int epochs) {
  OracleCounts counts;
  for (const RuleKind kind : {RuleKind::Power, RuleKind::Steps, RuleKind::Curve, RuleKind::Mixed}) {
    for (int i = 0; i < count; ++i) {
      const auto seed = static_cast<std::uint64_t>(i);
      SCOPED_TRACE(testing::Message() << "seed " << i << ", kind " << static_cast<int>(kind));
      const bool is_noisy = i % 2 == 1;
      const Scenario scenario =
          random_scenario(seed, {.epochs = epochs, .kind = kind, .noisy = is_noisy});
      const Problem problem = Problem::estimated(scenario);
      PlannerOptions options;
      options.estimator = is_noisy ? Estimator::Robust : Estimator::Expected;
      const PlanResult truth =
          brute_force_strategy().planner(problem, options)->plan(problem.start(), {});
      const PlanResult result = expect_sound_plan(strategy, scenario, problem, options);
      EXPECT_NE(truth.verdict, Verdict::Limit);
      EXPECT_EQ(result.verdict, truth.verdict);
      if (truth.verdict == Verdict::Infeasible) ++counts.infeasible;
      if (!truth.plan || !result.plan) continue;
      ++counts.optimal;
      EXPECT_NEAR(result.plan->end().energy.value, truth.plan->end().energy.value, 1e-9);
      EXPECT_NEAR(result.lower_bound.value, truth.plan->end().energy.value, 1e-6);
    }
  }
  return counts;
}

}  // namespace espalier::support
