// SPDX-License-Identifier: Apache-2.0
#include "strategies/depl.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/plan_checker.h"
#include "courses/course_trial.h"
#include "courses/data_choice.h"
#include "strategies/exact.h"
#include "strategies/expectation_margin.h"
#include "support/random_scenario.h"

namespace espalier {
namespace {

using support::random_scenario;
using support::RuleKind;

PlanResult plan(const Strategy& strategy, const Problem& problem) {
  return strategy.planner(problem, {})->plan(problem.start(), {});
}

// One model on two node sets: the second slower and thriftier.
Scenario two_sets(NoiseSpec noise = {0.2, 0.3}) {
  const LearnSpec learn{RuleShape{PowerRule{0.1, 0.05, 1}}, noise, {}};
  Scenario scenario;
  scenario.name = "two sets";
  scenario.goal = {Loss{0.3}, Seconds{60}, 0.9};
  scenario.start = {{0}, {0}, Loss{2}};
  scenario.models = {{"L", {}, 0}};
  scenario.node_sets = {{"fast", {}, {}}, {"slow", {}, {}}};
  scenario.runs = {{{0}, {0}, Seconds{1}, Joules{2}, learn},
                   {{0}, {1}, Seconds{2}, Joules{1}, learn}};
  return scenario;
}

void expect_sound(const Scenario& scenario, const Problem& problem, const PlanResult& result) {
  const auto faults = check_plan(scenario, problem, result, GoalDemand::NotNeeded);
  EXPECT_TRUE(faults.empty()) << faults.front();
}

double share_on_fresh_runs(const Problem& problem, const PlanResult& result, std::size_t runs) {
  CourseTrial trial(problem, problem.start(), 987, runs);
  const Course course = course_of(*result.plan);
  trial.prepare_run(course);
  return trial.run(course).share;
}

bool uses(const Problem& problem, const PlanResult& result, const std::string& name) {
  for (const Stage& stage : result.plan->stages()) {
    if (problem.name_of(stage.placement).find(name) != std::string::npos) return true;
  }
  return false;
}

TEST(Depl, KeepsItsPromiseOnFreshRealisations) {
  int promised = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Scenario scenario =
        random_scenario(seed, {.epochs = 12, .kind = RuleKind::Mixed, .noisy = true});
    scenario.goal.deadline = scenario.goal.deadline * 1.6;
    scenario.goal.probability = seed % 2 == 0 ? 0.8 : 0.95;
    const Problem problem = Problem::estimated(scenario);
    const PlanResult result = plan(depl_strategy(), problem);
    if (result.verdict != Verdict::Feasible) continue;
    ++promised;
    expect_sound(scenario, problem, result);
    const double omega = scenario.goal.probability;
    EXPECT_GE(result.chance->interval.low, omega);
    EXPECT_GE(share_on_fresh_runs(problem, result, 20'000),
              omega - 2 * std::sqrt(omega * (1 - omega) / 20'000));
  }
  EXPECT_GT(promised, 4);
}

TEST(Depl, IsExactWithoutNoise) {
  int reached = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Problem problem = Problem::estimated(random_scenario(seed, {.epochs = 15}));
    const PlanResult promised = plan(depl_strategy(), problem);
    const PlanResult exact = plan(exact_strategy(), problem);
    ASSERT_EQ(promised.plan.has_value(), exact.plan.has_value());
    if (!exact.plan) continue;
    ++reached;
    EXPECT_NEAR(promised.cost().value, exact.cost().value, 1e-6 * exact.cost().value);
  }
  EXPECT_GT(reached, 20);
}

TEST(Depl, CostsNoLessForAHigherProbabilityNorMoreForALooserTarget) {
  Scenario scenario = two_sets();
  double before = 0;
  for (const double probability : {0.6, 0.8, 0.9, 0.97}) {
    scenario.goal.probability = probability;
    const PlanResult result = plan(depl_strategy(), Problem::estimated(scenario));
    ASSERT_EQ(result.verdict, Verdict::Feasible);
    EXPECT_GE(result.cost().value, before * (1 - 0.005));
    before = result.cost().value;
  }
  scenario.goal.loss = Loss{0.4};
  EXPECT_LE(plan(depl_strategy(), Problem::estimated(scenario)).cost().value, before);
}

TEST(Depl, ApproachesExpectationAsNoiseAndCautionShrink) {
  Scenario scenario = two_sets({0.01, 0.01});
  scenario.goal.probability = 0.5;
  const Problem problem = Problem::estimated(scenario);
  const double expected = plan(exact_strategy(), problem).cost().value;
  EXPECT_NEAR(plan(depl_strategy(), problem).cost().value, expected, 0.05 * expected);
}

TEST(Depl, DropsDataThatDoesNotPay) {
  Scenario scenario = two_sets();
  scenario.goal.deadline = Seconds{200};
  // Learning from all data costs twice as much and teaches a tenth more.
  scenario.node_sets[1].data_options = {{.name = "all", .time = 2, .energy = 2, .rate = 1.1},
                                        {.name = "half"}};
  Problem problem = Problem::estimated(scenario);
  PlanResult result = plan(depl_strategy(), problem);
  expect_sound(scenario, problem, result);
  EXPECT_TRUE(uses(problem, result, "half"));
  EXPECT_FALSE(uses(problem, result, "all"));
  // Unless what must be paid for it once outweighs that.
  scenario.node_sets[1].data_options[1].once = Joules{100};
  problem = Problem::estimated(scenario);
  result = plan(depl_strategy(), problem);
  expect_sound(scenario, problem, result);
  EXPECT_FALSE(uses(problem, result, "half"));
}

TEST(Depl, PaysOnceForData) {
  Scenario scenario = two_sets();
  scenario.goal.deadline = Seconds{200};
  const double before = plan(depl_strategy(), Problem::estimated(scenario)).cost().value;
  scenario.node_sets[1].data_options = {{.name = "all", .once = Joules{1.5}}};
  const Problem problem = Problem::estimated(scenario);
  const PlanResult result = plan(depl_strategy(), problem);
  expect_sound(scenario, problem, result);
  EXPECT_NEAR(result.cost().value, before + 1.5, 1e-9);
}

TEST(Depl, UsesALevelThatSavesEnergyWhenTheDeadlineAllows) {
  Scenario scenario = two_sets();
  scenario.node_sets[1].levels = {{"full", 1, 1}, {"eco", 2, 0.5}};
  scenario.goal.deadline = Seconds{400};
  Problem problem = Problem::estimated(scenario);
  EXPECT_TRUE(uses(problem, plan(depl_strategy(), problem), "eco"));
  scenario.goal.deadline = Seconds{45};
  problem = Problem::estimated(scenario);
  const PlanResult result = plan(depl_strategy(), problem);
  ASSERT_EQ(result.verdict, Verdict::Feasible);
  EXPECT_FALSE(uses(problem, result, "eco"));
}

TEST(Depl, SaysHowLikelyTheBestIsWhereNothingCanBePromised) {
  Scenario scenario = two_sets();
  scenario.goal.deadline = Seconds{20};
  const Problem problem = Problem::estimated(scenario);
  const PlanResult result = plan(depl_strategy(), problem);
  EXPECT_EQ(result.verdict, Verdict::Infeasible);
  ASSERT_TRUE(result.chance.has_value());
  EXPECT_LT(result.chance->probability, 0.9);
}

TEST(Depl, StandsByItsPlanWhateverIsObserved) {
  const Problem problem = Problem::estimated(two_sets());
  const auto planner = depl_strategy().planner(problem, {});
  const PlanResult first = planner->plan(problem.start(), {});
  State observed = first.plan->after(3);
  observed.loss.value *= 0.7;
  const PlanResult rest = planner->plan(observed, {});
  ASSERT_EQ(rest.plan->steps.size(), first.plan->steps.size() - 3);
  EXPECT_EQ(rest.plan->steps.back().placement, first.plan->steps.back().placement);
  // And begins anew with every run.
  ASSERT_TRUE(first.chance && rest.chance);
  EXPECT_FALSE(first.chance->is_of_start) << "it is the start";
  EXPECT_TRUE(rest.chance->is_of_start) << "nobody has counted anew";
  EXPECT_EQ(planner->plan(problem.start(), {}).plan->steps.size(), first.plan->steps.size());
}

TEST(Depl, IsNoDearerThanExpectationWithTheMarginItNeeds) {
  double ours = 0;
  double theirs = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Scenario scenario =
        random_scenario(seed, {.epochs = 12, .kind = RuleKind::Power, .noisy = true});
    scenario.goal.deadline = scenario.goal.deadline * 1.6;
    const Problem problem = Problem::estimated(scenario);
    const PlanResult margin = plan(expectation_margin_strategy(), problem);
    if (margin.verdict != Verdict::Feasible) continue;
    const PlanResult depl = plan(depl_strategy(), problem);
    ASSERT_EQ(depl.verdict, Verdict::Feasible);
    ours += depl.cost().value;
    theirs += margin.cost().value;
  }
  EXPECT_LE(ours, theirs * (1 + 1e-3));
}

TEST(ExpectationMargin, NeedsNoneWithoutNoise) {
  const Problem problem = Problem::estimated(two_sets({}));
  const PlanResult margin = plan(expectation_margin_strategy(), problem);
  EXPECT_DOUBLE_EQ(margin.plan->end().energy.value,
                   plan(exact_strategy(), problem).plan->end().energy.value);
}

TEST(ExpectationMargin, TakesTheMarginItIsGiven) {
  const Problem problem = Problem::estimated(two_sets());
  const auto chance_with = [&](double margin) {
    return expectation_margin_strategy()
        .planner(problem, {.margin = Loss{margin}})
        ->plan(problem.start(), {})
        .chance->probability;
  };
  EXPECT_LT(chance_with(0), 0.7);
  EXPECT_GT(chance_with(0.1), chance_with(0.03));
}

TEST(DataChoice, ListsEverySelectionUpToALimit) {
  Scenario scenario = two_sets();
  scenario.node_sets[0].data_options = {{.name = "all"}, {.name = "half"}};
  scenario.node_sets[1].data_options = {{.name = "all", .once = Joules{1}}, {.name = "half"}};
  const Problem problem = Problem::estimated(scenario);
  EXPECT_EQ(all_selections(problem, 10).size(), 6U);  // 2 · (2 + none)
  EXPECT_TRUE(all_selections(problem, 5).empty());
}

TEST(DataChoice, GoesTheGreedyWay) {
  Scenario scenario = two_sets();
  for (NodeSetSpec& nodes : scenario.node_sets)
    nodes.data_options = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
  // Best where both use their last option.
  const auto energy = [](const DataSelection& data) {
    double sum = 10;
    for (const auto& option : data) sum -= option->index;
    return sum;
  };
  const auto way = promising_selections(Problem::estimated(scenario), energy);
  ASSERT_FALSE(way.empty());
  EXPECT_EQ(way.front(), (DataSelection{DataOptionId{2}, DataOptionId{2}}));
}

}  // namespace
}  // namespace espalier
