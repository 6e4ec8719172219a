// SPDX-License-Identifier: Apache-2.0
// What every strategy promises.
#include "strategies/registry.h"

#include <set>

#include <gtest/gtest.h>

#include "core/error.h"
#include "strategies/exact.h"
#include "support/oracle.h"

namespace espalier {
namespace {

using support::expect_sound_plan;
using support::random_scenario;

TEST(Registry, NamesAreUniqueAndFindable) {
  std::set<std::string> names;
  for (const Strategy* strategy : all_strategies()) {
    EXPECT_TRUE(names.insert(strategy->info().name).second);
    EXPECT_EQ(&strategy_named(strategy->info().name), strategy);
    EXPECT_FALSE(strategy->info().summary.empty());
    EXPECT_FALSE(strategy->info().description.empty());
  }
}

TEST(Registry, SuggestsTheNearestName) {
  try {
    strategy_named("exat");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "unknown strategy 'exat'; did you mean 'exact'?");
  }
}

// Grids and samples that suffice for small cases.
PlannerOptions quick() {
  PlannerOptions options;
  options.loss_levels = 40;
  options.time_levels = 60;
  options.judged_runs = 800;
  return options;
}

// Some strategies say at once that a problem is not for them.
bool refuses(const Strategy& strategy, const Problem& problem) {
  try {
    strategy.planner(problem, {});
    return false;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    EXPECT_FALSE(error.hint().empty());
    return true;
  }
}

TEST(Strategies, EveryPlanIsSoundAndNoneBeatsExact) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Scenario scenario = random_scenario(seed, {.epochs = 5, .noisy = seed % 2 == 1});
    const Problem problem = Problem::estimated(scenario);
    PlannerOptions options = quick();
    options.estimator = seed % 3 == 0 ? Estimator::Robust : Estimator::Expected;
    const PlanResult best = exact_strategy().planner(problem, options)->plan(problem.start(), {});
    for (const Strategy* strategy : all_strategies()) {
      if (refuses(*strategy, problem)) continue;
      const PlanResult result = expect_sound_plan(*strategy, scenario, problem, options);
      const bool is_feasible =
          result.verdict == Verdict::Optimal || result.verdict == Verdict::Feasible;
      if (!is_feasible || result.estimator != best.estimator) continue;
      ASSERT_TRUE(best.plan) << strategy->info().name;
      EXPECT_GE(result.plan->end().energy.value, best.plan->end().energy.value - 1e-9)
          << strategy->info().name;
    }
  }
}

TEST(Strategies, TheSameQuestionGetsTheSameAnswer) {
  const Scenario scenario =
      random_scenario(11, {.epochs = 6, .kind = support::RuleKind::Power, .noisy = true});
  const Problem problem = Problem::estimated(scenario);
  for (const Strategy* strategy : all_strategies()) {
    const PlanResult a = strategy->planner(problem, quick())->plan(problem.start(), {});
    const PlanResult b = strategy->planner(problem, quick())->plan(problem.start(), {});
    ASSERT_EQ(a.plan.has_value(), b.plan.has_value());
    if (!a.plan) continue;
    ASSERT_EQ(a.plan->steps.size(), b.plan->steps.size());
    for (std::size_t i = 0; i < a.plan->steps.size(); ++i) {
      EXPECT_EQ(a.plan->steps[i].placement, b.plan->steps[i].placement);
    }
  }
}

TEST(Strategies, SwitchBudgetsAreKept) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const int most =
        seed % 2 == 0 ? 3 : 8;  // below and above the size from which arcs are decomposed
    const Scenario scenario =
        random_scenario(seed, {.max_models = most, .max_node_sets = most, .epochs = 8});
    const Problem problem = Problem::estimated(scenario);
    const PlanResult none =
        strategy_named("no-switch").planner(problem, {})->plan(problem.start(), {});
    const PlanResult one =
        strategy_named("one-switch").planner(problem, {})->plan(problem.start(), {});
    if (none.plan) {
      EXPECT_EQ(none.plan->switches(problem), 0);
    }
    if (one.plan) {
      EXPECT_LE(one.plan->switches(problem), 1);
    }
    if (none.verdict == Verdict::Optimal) {
      ASSERT_EQ(one.verdict, Verdict::Optimal);
      EXPECT_LE(one.plan->end().energy.value, none.plan->end().energy.value + 1e-9);
    }
  }
}

TEST(Strategies, StaticLearnUsesEveryModelOfTheChainInOrder) {
  int seen = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const Problem problem = Problem::estimated(random_scenario(seed, {.epochs = 12}));
    const PlanResult result =
        strategy_named("static-learn").planner(problem, {})->plan(problem.start(), {});
    if (result.verdict != Verdict::Feasible || result.plan->steps.empty()) continue;
    std::vector<ModelId> used;
    for (const Stage& stage : result.plan->stages())
      used.push_back(problem.training(stage.placement).at.model);
    bool is_a_chain = false;
    for (const auto& chain : problem.model_chains()) is_a_chain = is_a_chain || chain == used;
    EXPECT_TRUE(is_a_chain) << seed;
    ++seen;
  }
  EXPECT_GT(seen, 10);
}

}  // namespace
}  // namespace espalier
