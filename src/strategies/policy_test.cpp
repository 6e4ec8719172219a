// SPDX-License-Identifier: Apache-2.0
#include "strategies/policy.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "policies/policy_planner.h"
#include "policies/policy_table.h"
#include "policies/policy_trial.h"
#include "realisations/truth.h"
#include "strategies/depl.h"
#include "strategies/exact.h"
#include "support/oracle.h"

namespace espalier {
namespace {

using support::random_scenario;
using support::RuleKind;

Scenario noisy_scenario(std::uint64_t seed, double probability, int epochs = 8) {
  Scenario scenario =
      random_scenario(seed, {.epochs = epochs, .kind = RuleKind::Power, .noisy = true});
  scenario.goal.probability = probability;
  return scenario;
}

void set_noise(Scenario& scenario, const NoiseSpec& noise) {
  for (RunSpec& run : scenario.runs) run.learn.noise = noise;
  for (ModelChangeSpec& change : scenario.model_changes) change.jump.noise = 0;
}

constexpr std::size_t kRuns = 4000;
const PolicySearchOptions kQuick{.resolution = {60, 100}, .runs = 2000};

PlannerOptions quick_planner() {
  PlannerOptions options;
  options.loss_levels = kQuick.resolution.losses;
  options.time_levels = kQuick.resolution.times;
  options.judged_runs = kQuick.runs;
  return options;
}

TEST(Policy, WithHardlyAnyNoiseCostsWhatExactCosts) {
  int seen = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    SCOPED_TRACE(seed);
    Scenario scenario = random_scenario(seed, {.epochs = 12, .kind = RuleKind::Power});
    set_noise(scenario, {0, 1e-9});
    const Problem problem = Problem::estimated(scenario);
    const PlanResult best = exact_strategy().planner(problem, {})->plan(problem.start(), {});
    const FoundPolicy found = find_policy(problem, {.resolution = {150, 150}, .runs = 200}, {});
    ASSERT_EQ(found.keeps_promise, best.plan.has_value());
    if (!best.plan) continue;
    const double energy = best.plan->end().energy.value;
    EXPECT_GE(found.chance.mean_energy.value, energy * (1 - 1e-6));
    EXPECT_LE(found.chance.mean_energy.value, energy * 1.02);
    ++seen;
  }
  EXPECT_GT(seen, 8);
}

TEST(Policy, KeepsItsPromiseOnFreshRealisations) {
  int kept = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const double promise = seed % 3 == 0 ? 0.8 : seed % 3 == 1 ? 0.9 : 0.95;
    const Problem problem = Problem::estimated(noisy_scenario(seed, promise));
    const FoundPolicy found = find_policy(problem, kQuick, {});
    EXPECT_EQ(found.keeps_promise, found.chance.interval.low >= promise);
    if (!found.keeps_promise) continue;
    const Chance fresh = try_policy(*found.policy, {.runs = kRuns, .seed = 99}, {});
    EXPECT_GE(fresh.probability, promise - 3 * std::sqrt(promise * (1 - promise) / kRuns));
    ++kept;
  }
  EXPECT_GT(kept, 4);
}

TEST(Policy, PromisingMoreDoesNotCostLess) {
  for (const std::uint64_t seed : {3, 5}) {
    double before = 0;
    for (const double promise : {0.8, 0.88, 0.95}) {
      Scenario scenario = noisy_scenario(seed, promise, 14);
      set_noise(scenario, {0.2, 0.2});
      const Problem problem = Problem::estimated(scenario);
      const FoundPolicy found = find_policy(problem, kQuick, {});
      if (!found.keeps_promise) break;
      EXPECT_GE(found.chance.mean_energy.value, 0.98 * before) << seed << " " << promise;
      before = found.chance.mean_energy.value;
    }
    EXPECT_GT(before, 0) << seed;
  }
}

// Many epochs of two placements, of which the quicker one is dear: whether it is needed depends on
// the luck.
Scenario long_scenario(const NoiseSpec& noise) {
  Scenario s;
  s.name = "long";
  s.goal = {Loss{0.3}, Seconds{50}, 0.9};
  s.start = {{0}, {0}, Loss{2}};
  s.models = {{"L", {}, 0}};
  s.node_sets = {{"gold", {}, {}}, {"bronze", {}, {}}};
  const LearnSpec learn{RuleShape{PowerRule{0.06, 0, 1}}, noise, {}};
  s.runs = {{{0}, {0}, Seconds{0.7}, Joules{2}, learn}, {{0}, {1}, Seconds{1.2}, Joules{1}, learn}};
  return s;
}

TEST(Policy, WhatARunShowsOfItsLuckPays) {
  const Problem problem = Problem::estimated(long_scenario({0.4, 0.3}));
  const FoundPolicy found = find_policy(problem, kQuick, {});
  ASSERT_TRUE(found.keeps_promise);
  const auto cost = [&](bool learns) {
    const Chance chance =
        try_policy(*found.policy, {.runs = kRuns, .seed = 5, .learns_luck = learns}, {});
    return chance.mean_energy.value + found.policy->miss() * (1 - chance.probability);
  };
  EXPECT_LT(cost(true), 0.97 * cost(false));
}

TEST(Policy, IsTheSameOnAnyNumberOfThreads) {
  const Problem problem = Problem::estimated(long_scenario({0.3, 0.3}));
  PolicySearchOptions options = kQuick;
  options.workers = 1;
  const FoundPolicy one = find_policy(problem, options, {});
  options.workers = 3;
  const FoundPolicy three = find_policy(problem, options, {});
  EXPECT_EQ(one.policy->miss(), three.policy->miss());
  EXPECT_EQ(one.chance.probability, three.chance.probability);
  EXPECT_EQ(one.chance.mean_energy, three.chance.mean_energy);
}

TEST(Policy, ShowsWhatHappensIfAllGoesAsExpected) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Scenario scenario = noisy_scenario(seed, 0.8);
    const Problem problem = Problem::estimated(scenario);
    const PlanResult result =
        support::expect_sound_plan(policy_strategy(), scenario, problem, quick_planner());
    ASSERT_TRUE(result.chance);
    EXPECT_EQ(result.verdict == Verdict::Feasible, result.chance->interval.low >= 0.8);
  }
}

TEST(Policy, DecidesByWhatItHasSeen) {
  const Problem problem = Problem::estimated(long_scenario({0.5, 0.2}));
  PolicyPlanner planner(problem, kQuick);
  const PlacementId first = planner.plan(problem.start(), {}).plan->steps.front().placement;
  // The same state, reached by three runs: from nowhere, slowly and quickly.
  const State now{first, 20, Loss{1.1}, Seconds{24}, Joules{20}};
  const auto after = [&](double loss_before) {
    State before = now;
    before.epoch -= 1;
    before.loss = Loss{loss_before};
    before.time = Seconds{now.time.value - 1};
    before.energy = Joules{now.energy.value - 1};
    if (loss_before > 0) {
      planner.plan(before, {});
    } else {
      planner.plan(problem.start(), {});
    }
    return planner.plan(now, {});
  };
  const PlanResult lucky = after(1.35);
  ASSERT_TRUE(lucky.plan);
  EXPECT_EQ(lucky.plan->steps.size(), 1U);
  EXPECT_EQ(lucky.plan->steps[0].placement.index, 1);  // slow and cheap will do
  const PlanResult unknown = after(0);
  ASSERT_TRUE(unknown.plan);
  EXPECT_EQ(unknown.plan->steps[0].placement.index, 0);
  const PlanResult unlucky = after(1.11);
  EXPECT_FALSE(unlucky.plan);
  EXPECT_EQ(unlucky.verdict, Verdict::Infeasible);
  ASSERT_EQ(unlucky.notes.size(), 1U);
  EXPECT_EQ(unlucky.notes[0].substr(0, 7), "gave up");
}

// Of runs that are on their way, as many reach the goal as their chances there say, and of those
// with better chances more.
TEST(Policy, TheChanceThatIsLeftIsBorneOut) {
  Scenario scenario = long_scenario({0.4, 0.3});
  scenario.goal.probability = 0.8;
  const Problem problem = Problem::estimated(scenario);
  const FoundPolicy found = find_policy(problem, kQuick, {});
  struct Group {
    double said = 0;
    int reached = 0;
    int runs = 0;
  };
  Group likely;
  Group unlikely;
  for (std::uint64_t run = 0; run < 400; ++run) {
    const Truth truth(problem, 4711, run);
    OnTheWay there{problem.start(), {}};
    std::optional<double> said;
    while (const auto to = problem.goal().reached(there.now.loss, there.now.time)
                               ? std::nullopt
                               : found.policy->choose(there.now, there.belief)) {
      if (there.now.epoch == 3)
        said = try_policy_from(there, *found.policy, {.runs = 500}, {}).probability;
      const State before = there.now;
      there.now = *truth.advance(before, *to);
      there.belief.observe(problem, before, there.now);
    }
    if (!said) continue;
    Group& group = *said > 0.9 ? likely : unlikely;
    group.said += *said;
    group.reached += problem.goal().reached(there.now.loss, there.now.time) ? 1 : 0;
    ++group.runs;
  }
  for (const Group& group : {likely, unlikely}) {
    ASSERT_GT(group.runs, 50);
    const double said = group.said / group.runs;
    const double error = 4 * std::sqrt(said * (1 - said) / group.runs) + 0.01;
    EXPECT_NEAR(group.reached * 1.0 / group.runs, said, error);
  }
  EXPECT_LT(unlikely.said / unlikely.runs, 0.8);
}

TEST(Policy, SaysHowLikelyAnUnreachableGoalIs) {
  Scenario scenario = long_scenario({0.3, 0.3});
  scenario.goal.deadline = Seconds{22};
  const Problem problem = Problem::estimated(scenario);
  const PlanResult result =
      policy_strategy().planner(problem, quick_planner())->plan(problem.start(), {});
  EXPECT_EQ(result.verdict, Verdict::Infeasible);
  ASSERT_TRUE(result.chance);
  EXPECT_GT(result.chance->probability, 0.05);
  EXPECT_LT(result.chance->probability, 0.9);
  EXPECT_FALSE(result.notes.empty());
}

// What is hopeless as it is believed now may not be so after another epoch.
TEST(Policy, HeadsForTheLeastLossWhereNothingHasAChance) {
  Scenario scenario = noisy_scenario(3, 0.9);
  scenario.goal.loss = Loss{1e-9};
  for (RunSpec& run : scenario.runs)
    std::get<PowerRule>(std::get<RuleShape>(run.learn.rule)).floor = 0.1;
  const Problem problem = Problem::estimated(scenario);
  const PlanResult result =
      policy_strategy().planner(problem, quick_planner())->plan(problem.start(), {});
  EXPECT_EQ(result.verdict, Verdict::Infeasible);
  ASSERT_TRUE(result.plan.has_value());
  ASSERT_FALSE(result.plan->steps.empty());
  EXPECT_LT(result.plan->end().loss, problem.start().loss);
  EXPECT_LE(result.plan->end().time, problem.goal().time_bound());
}

TEST(Policy, WithoutNoiseIsExact) {
  const Problem problem = Problem::estimated(long_scenario({}));
  const PlanResult result = policy_strategy().planner(problem, {})->plan(problem.start(), {});
  EXPECT_EQ(result.verdict, Verdict::Optimal);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Problem other = Problem::estimated(random_scenario(seed, {.epochs = 15}));
    const PlanResult exact = exact_strategy().planner(other, {})->plan(other.start(), {});
    const PlanResult policy = policy_strategy().planner(other, {})->plan(other.start(), {});
    ASSERT_EQ(policy.plan.has_value(), exact.plan.has_value());
    if (!exact.plan) continue;
    EXPECT_NEAR(policy.cost().value, exact.cost().value, 1e-6 * exact.cost().value);
  }
}

TEST(Policy, FollowsAFixedPlanWhereRulesDependOnTheEpoch) {
  const Problem problem =
      Problem::estimated(random_scenario(3, {.kind = RuleKind::Steps, .noisy = true}));
  EXPECT_THROW(check_suits_policy(problem), Error);
  const PlanResult policy = policy_strategy().planner(problem, {})->plan(problem.start(), {});
  const PlanResult depl = depl_strategy().planner(problem, {})->plan(problem.start(), {});
  ASSERT_EQ(policy.plan.has_value(), depl.plan.has_value());
  if (depl.plan) {
    EXPECT_EQ(policy.cost(), depl.cost());
  }
}

// A fixed plan is a policy too.
TEST(Policy, IsNoDearerThanTheBestFixedPlan) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Problem problem = Problem::estimated(noisy_scenario(seed, 0.8));
    const auto plan = [&](const Strategy& strategy) {
      return strategy.planner(problem, quick_planner())->plan(problem.start(), {});
    };
    const PlanResult fixed = plan(depl_strategy());
    if (fixed.verdict != Verdict::Feasible) continue;
    const PlanResult policy = plan(policy_strategy());
    EXPECT_EQ(policy.verdict, Verdict::Feasible);
    EXPECT_LE(policy.cost(), fixed.cost());
  }
}

TEST(Policy, AForkDecidesAlike) {
  const Problem problem = Problem::estimated(long_scenario({0.4, 0.2}));
  const auto planner = policy_strategy().planner(problem, quick_planner());
  const PlanResult first = planner->plan(problem.start(), {});
  const auto fork = planner->fork();
  const State now = first.plan->after(3);
  fork->plan(problem.start(), {});
  planner->plan(problem.start(), {});
  EXPECT_EQ(fork->plan(now, {}).plan->steps.front().placement,
            planner->plan(now, {}).plan->steps.front().placement);
}

TEST(Policy, StopsWhenAsked) {
  const Problem problem = Problem::estimated(long_scenario({0.3, 0.3}));
  std::stop_source source;
  source.request_stop();
  const PlanResult result =
      policy_strategy().planner(problem, {})->plan(problem.start(), source.get_token());
  EXPECT_EQ(result.verdict, Verdict::Limit);
  EXPECT_FALSE(result.plan);
}

TEST(PolicyTable, HoldsWhatThePolicyDoesAtTheKnots) {
  const Problem problem = Problem::estimated(long_scenario({0.3, 0.3}));
  const FoundPolicy found = find_policy(problem, {.resolution = {20, 30}, .runs = 200}, {});
  const PolicyTable table = table_of(*found.policy);
  ASSERT_EQ(table.losses.size(), 21U);
  ASSERT_EQ(table.times.size(), 31U);
  ASSERT_EQ(table.luck.size(), kLuckNodes);
  EXPECT_EQ(table.at(0, 0, 20, 30), -1);  // no time left
  const State state{{1}, 0, Loss{table.losses[5]}, Seconds{table.times[10]}, {}};
  const auto to = found.policy->choose(state, 4);
  EXPECT_EQ(table.at(4, 1, 5, 10), to ? to->index : -1);
}

}  // namespace
}  // namespace espalier
