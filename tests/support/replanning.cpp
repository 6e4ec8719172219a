// SPDX-License-Identifier: Apache-2.0
#include "support/replanning.h"

#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "strategies/exact.h"
#include "support/random_scenario.h"

namespace espalier::support {
namespace {

// Epochs from which on `exact` works on a grid.
constexpr std::size_t kLongPlan = 120;

// Every fourth is so large that changes go by half-way nodes.
bool is_large(std::uint64_t seed) { return seed % 4 == 3; }

Problem long_problem(std::uint64_t seed) {
  const int side = is_large(seed) ? 7 : 3;
  Scenario scenario = random_scenario(seed, {.max_models = side,
                                             .max_node_sets = side,
                                             .epochs = 250,
                                             .kind = RuleKind::Power,
                                             .switching = Switching::TwoWay});
  const double slowness = 0.02 + 0.01 * static_cast<double>(seed % 8);
  scenario.goal.deadline = scenario.goal.deadline * (seed % 3 == 0 ? 1 : 3);
  for (RunSpec& run : scenario.runs) {
    auto& rule = std::get<PowerRule>(std::get<RuleShape>(run.learn.rule));
    rule.rate *= slowness;
    rule.power = std::max(1.0, rule.power);
  }
  return Problem::estimated(scenario);
}

PlanResult asked_afresh(const Problem& problem, const State& now, bool is_free) {
  PlanShape shape = PlanShape::any();
  shape.is_free = is_free;  // otherwise by fronts, not on a grid
  return make_exact_planner(problem, Estimator::Expected, shape, {})->plan(now, {});
}

// Where plans are long they take minutes.
bool suits_fronts(const PlanResult& result, std::uint64_t seed) {
  return !is_large(seed) && result.plan && result.plan->steps.size() < 2 * kLongPlan;
}

// What came of the plan after some epochs.
State observed(const Plan& plan, std::uint64_t seed, int round) {
  const double shares[] = {0.01, 0.1, 0.1, 0.5, 0.3, 0.8};
  const auto count =
      static_cast<std::size_t>(shares[round] * static_cast<double>(plan.steps.size()));
  State state = plan.after(std::min(std::max<std::size_t>(count, 1), plan.steps.size() - 1));
  const double deviations[] = {1.005, 0.995, 1, 1.02, 0.97};
  state.loss.value *= deviations[(seed + static_cast<std::uint64_t>(round)) % 5];
  state.time.value *=
      round == 4 ? 1.3 : deviations[(seed / 5 + static_cast<std::uint64_t>(round)) % 3];
  state.energy.value *= deviations[(seed / 3 + static_cast<std::uint64_t>(round)) % 4];
  return state;
}

// False if they differ.
bool expect_same(const PlanResult& again, const PlanResult& afresh, std::uint64_t seed, int round) {
  if (afresh.verdict == Verdict::Limit || again.verdict == Verdict::Limit) return true;
  EXPECT_EQ(again.verdict, afresh.verdict) << seed << " " << round;
  if (again.verdict != afresh.verdict) return false;
  if (!again.plan) return true;
  const double energy = afresh.plan->end().energy.value;
  EXPECT_NEAR(again.plan->end().energy.value, energy, 3e-9 * energy) << seed << " " << round;
  return true;
}

}  // namespace

ReplanCounts expect_replans_like_fresh_planners(std::uint64_t first_seed, int seeds) {
  ReplanCounts counts;
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(seeds);
       ++seed) {
    const Problem problem = long_problem(seed);
    const auto planner = make_exact_planner(problem, Estimator::Expected, PlanShape::any(), {});
    std::optional<Plan> plan = planner->plan(problem.start(), {}).plan;
    for (int round = 0; round < 6 && plan && plan->steps.size() > 1; ++round) {
      const State now = observed(*plan, seed, round);
      const PlanResult again = planner->plan(now, {});
      if (!expect_same(again, asked_afresh(problem, now, true), seed, round)) return counts;
      if (suits_fronts(again, seed) &&
          !expect_same(again, asked_afresh(problem, now, false), seed, round))
        return counts;
      counts.long_plans += again.plan && again.plan->steps.size() >= kLongPlan;
      counts.optimal += again.verdict == Verdict::Optimal;
      counts.infeasible += again.verdict == Verdict::Infeasible;
      if (again.plan) plan = again.plan;
    }
  }
  return counts;
}

}  // namespace espalier::support
