// SPDX-License-Identifier: Apache-2.0
#include "clairvoyance/clairvoyant.h"

#include <gtest/gtest.h>

#include "core/infinite.h"
#include "realisations/truth.h"
#include "simulation/run.h"
#include "strategies/exact.h"
#include "strategies/registry.h"
#include "support/random_scenario.h"

namespace espalier {
namespace {

using support::RuleKind;

constexpr RuleKind kKinds[] = {RuleKind::Power, RuleKind::Steps, RuleKind::Curve, RuleKind::Mixed};

// The least energy over all sequences of placements that use one data option per node set; infinite
// if none reaches the goal.
class Enumeration {
 public:
  explicit Enumeration(const Truth& truth)
      : truth_(truth), data_(truth.problem().node_set_count()) {
    visit(truth.problem().start());
  }
  double least() const { return least_; }

 private:
  void visit(const State& state) {
    const Goal& goal = truth_.problem().goal();
    if (state.time > goal.time_bound() || state.energy.value >= least_) return;
    if (goal.reached(state.loss, state.time)) {
      least_ = state.energy.value;
      return;
    }
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(truth_.problem().size()); ++p) {
      const Placement& at = truth_.problem().training({p}).at;
      const auto chosen = data_[at.nodes.pos()];
      if (chosen && chosen != at.data) continue;
      data_[at.nodes.pos()] = at.data;
      if (const auto next = truth_.advance(state, {p})) visit(*next);
      data_[at.nodes.pos()] = chosen;
    }
  }

  const Truth& truth_;
  DataSelection data_;
  double least_ = kInfinite;
};

struct Counts {
  int optimal = 0;
  int infeasible = 0;
  int limit = 0;
};

void expect_true_to_itself(const Truth& truth, const Plan& plan) {
  State now = truth.problem().start();
  for (const Step& step : plan.steps) {
    EXPECT_FALSE(truth.problem().goal().reached(now.loss, now.time));
    now = truth.advance(now, step.placement).value();
    EXPECT_EQ(now.loss, step.loss);
  }
  EXPECT_TRUE(truth.problem().goal().reached(now.loss, now.time));
  EXPECT_EQ(now.energy, plan.end().energy);
  EXPECT_EQ(now.time, plan.end().time);
}

// Expects what enumeration finds, or, where nothing is proved, bounds around it.
void expect_like_enumeration(const Problem& actual, std::uint64_t seed, std::uint64_t run,
                             Counts& counts) {
  SCOPED_TRACE(testing::Message() << "run " << run);
  const Truth truth(actual, seed, run);
  const double least = Enumeration(truth).least();
  const ClairvoyantResult result = clairvoyant_optimum(actual, seed, run);
  EXPECT_LE(result.lower_bound.value, least * (1 + 1e-9));
  if (result.plan) {
    expect_true_to_itself(truth, *result.plan);
    EXPECT_GE(result.plan->end().energy.value, least * (1 - 1e-9));
  }
  if (result.verdict == Verdict::Optimal) {
    ++counts.optimal;
    EXPECT_NEAR(result.plan->end().energy.value, least, 1e-9 * least);
    EXPECT_EQ(result.lower_bound, result.plan->end().energy);
  } else if (result.verdict == Verdict::Infeasible) {
    ++counts.infeasible;
    EXPECT_EQ(least, kInfinite);
  } else {
    ++counts.limit;
  }
}

TEST(Clairvoyant, FindsWhatEnumerationFinds) {
  Counts counts;
  for (const RuleKind kind : kKinds) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", kind " << static_cast<int>(kind));
      const Problem actual = Problem::actual(
          support::random_scenario(seed, {.epochs = 5, .kind = kind, .noisy = true}));
      for (std::uint64_t run = 0; run < 3; ++run)
        expect_like_enumeration(actual, seed, run, counts);
    }
  }
  EXPECT_GT(counts.optimal, 200);
  EXPECT_GT(counts.infeasible, 100);
  EXPECT_LT(counts.limit, 5);
}

// Lucky factors of 3 and more: rules that fall with the loss.
TEST(Clairvoyant, BoundsRunsThatAreTooLuckyToCompareLosses) {
  Counts counts;
  for (const RuleKind kind : {RuleKind::Power, RuleKind::Curve}) {
    for (std::uint64_t seed = 100; seed < 130; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", kind " << static_cast<int>(kind));
      Scenario scenario =
          support::random_scenario(seed, {.epochs = 5, .kind = kind, .noisy = true});
      for (RunSpec& run : scenario.runs) run.learn.noise = {0.5, 1};
      const Problem actual = Problem::actual(scenario);
      for (std::uint64_t run = 0; run < 3; ++run)
        expect_like_enumeration(actual, seed, run, counts);
    }
  }
  EXPECT_GT(counts.optimal, 40);
  EXPECT_GT(counts.limit, 0);
  EXPECT_LT(counts.limit, 25);
}

TEST(Clairvoyant, ChoosesOneDataOptionForEachNodeSet) {
  Counts counts;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Scenario scenario = support::random_scenario(
        seed, {.max_node_sets = 2, .epochs = 4, .kind = RuleKind::Power, .noisy = true});
    scenario.node_sets.front().data_options = {
        {.name = "all", .once = Joules{0.4}},
        {.name = "half", .time = 0.6, .energy = 0.5, .rate = 0.7}};
    const Problem actual = Problem::actual(scenario);
    for (std::uint64_t run = 0; run < 2; ++run) expect_like_enumeration(actual, seed, run, counts);
  }
  EXPECT_GT(counts.optimal, 20);
  EXPECT_EQ(counts.limit, 0);
}

// Lets the strategy live through some runs; returns how many reached the goal.
int expect_never_above(const Strategy& strategy, const Problem& estimated, const Problem& actual) {
  constexpr std::uint64_t seed = 7;
  int reached = 0;
  const auto planner = strategy.planner(estimated, {});
  for (std::uint64_t run = 0; run < 4; ++run) {
    const auto reality = reality_of(actual)(seed, run);
    const RunRecord record = simulate_run(estimated, *reality, *planner);
    if (!record.reached()) continue;
    ++reached;
    const ClairvoyantResult best = clairvoyant_optimum(actual, seed, run);
    const double energy = record.course.end().energy.value;
    EXPECT_TRUE(best.plan);
    EXPECT_LE(best.lower_bound.value, energy * (1 + 1e-9));
    if (best.verdict != Verdict::Optimal) continue;
    EXPECT_LE(best.plan->end().energy.value, energy * (1 + 1e-9));
  }
  return reached;
}

TEST(Clairvoyant, IsNeverAboveAStrategyInTheSameRealisation) {
  int reached = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Scenario scenario =
        support::random_scenario(seed, {.epochs = 14, .kind = RuleKind::Power, .noisy = true});
    const Problem estimated = Problem::estimated(scenario);
    const Problem actual = Problem::actual(scenario);
    for (const char* name : {"exact", "no-switch", "one-switch"}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << name);
      reached += expect_never_above(strategy_named(name), estimated, actual);
    }
  }
  EXPECT_GT(reached, 30);
}

TEST(Clairvoyant, EqualsExactWithoutNoise) {
  for (const RuleKind kind : kKinds) {
    for (std::uint64_t seed = 0; seed < 15; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", kind " << static_cast<int>(kind));
      const Problem problem =
          Problem::actual(support::random_scenario(seed, {.epochs = 20, .kind = kind}));
      const PlanResult exact = exact_strategy().planner(problem, {})->plan(problem.start(), {});
      const ClairvoyantResult result = clairvoyant_optimum(problem, 1, 0);
      EXPECT_EQ(result.verdict, exact.verdict);
      if (!exact.plan || !result.plan) continue;
      const double energy = exact.plan->end().energy.value;
      EXPECT_NEAR(result.plan->end().energy.value, energy, 1e-8 * energy);
    }
  }
}

TEST(Clairvoyant, DoesNotDependOnTheNumberOfThreads) {
  const Problem actual = Problem::actual(
      support::random_scenario(3, {.epochs = 15, .kind = RuleKind::Power, .noisy = true}));
  const auto one = clairvoyant_optima(actual, {.seed = 5, .runs = 12, .workers = 1});
  const auto four = clairvoyant_optima(actual, {.seed = 5, .runs = 12, .workers = 4});
  ASSERT_EQ(one.size(), 12U);
  ASSERT_EQ(four.size(), 12U);
  for (std::size_t run = 0; run < one.size(); ++run) {
    EXPECT_EQ(one[run].verdict, four[run].verdict);
    EXPECT_EQ(one[run].lower_bound, four[run].lower_bound);
    EXPECT_EQ(one[run].labels, four[run].labels);
    const ClairvoyantResult alone = clairvoyant_optimum(actual, 5, run);
    EXPECT_EQ(one[run].lower_bound, alone.lower_bound);
  }
}

TEST(Clairvoyant, HasABoundWhereLabelsDoNotSuffice) {
  int limit = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Problem actual = Problem::actual(
        support::random_scenario(seed, {.epochs = 20, .kind = RuleKind::Power, .noisy = true}));
    const ClairvoyantResult best = clairvoyant_optimum(actual, 1, 0);
    const ClairvoyantResult hasty = clairvoyant_optimum(actual, 1, 0, {.max_labels = 10});
    EXPECT_LE(hasty.lower_bound.value, best.lower_bound.value * (1 + 1e-9));
    if (hasty.verdict != Verdict::Limit) continue;
    ++limit;
    EXPECT_GT(hasty.lower_bound.value, 0);
  }
  EXPECT_GT(limit, 0);
}

TEST(Clairvoyant, SpendsNothingAtTheGoal) {
  Scenario scenario = support::random_scenario(1, {.noisy = true});
  scenario.goal.loss = scenario.start.loss;
  const ClairvoyantResult result = clairvoyant_optimum(Problem::actual(scenario), 1, 0);
  EXPECT_EQ(result.verdict, Verdict::Optimal);
  EXPECT_EQ(result.lower_bound, Joules{0});
}

TEST(Clairvoyant, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const Problem actual = Problem::actual(support::random_scenario(1, {.noisy = true}));
  EXPECT_TRUE(clairvoyant_optima(actual, {.runs = 5}, {}, stop.get_token()).empty());
}

}  // namespace
}  // namespace espalier
