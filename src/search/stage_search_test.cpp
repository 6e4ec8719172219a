// SPDX-License-Identifier: Apache-2.0
#include "search/stage_search.h"

#include <utility>

#include <gtest/gtest.h>

#include "search/grid_pricing.h"
#include "strategies/exact.h"
#include "support/factory.h"
#include "support/random_scenario.h"

namespace espalier {
namespace {

using support::random_scenario;
using support::RuleKind;

// Plans of any length: from a few epochs, where rounding to whole ones matters most, to a hundred.
Problem problem_of(std::uint64_t seed) {
  Scenario scenario = random_scenario(seed, {.epochs = 250, .kind = RuleKind::Power});
  const double slowness = 1 - 0.03 * static_cast<double>(seed % 32);
  if (seed % 5 == 0) scenario.goal.deadline = scenario.goal.deadline * 0.2;
  for (RunSpec& run : scenario.runs) {
    auto& rule = std::get<PowerRule>(std::get<RuleShape>(run.learn.rule));
    rule.rate *= slowness;
    rule.power = std::max(1.0, rule.power);
  }
  return Problem::estimated(scenario);
}

// From L to S by way of M only, and M learns nothing.
Problem problem_with_idle_stage() {
  Scenario scenario = support::small_factory();
  const PowerRule rules[] = {{0.05, 0.4, 1}, {0.05, 5, 1}, {0.03, 0.05, 1}};
  for (RunSpec& run : scenario.runs) run.learn.rule = RuleShape{rules[run.model.pos()]};
  return Problem::estimated(scenario);
}

struct Case {
  explicit Case(std::uint64_t seed) : Case(problem_of(seed)) {}
  explicit Case(Problem of)
      : problem(std::move(of)),
        graph(problem, Estimator::Expected, PlanShape::any()),
        pricing(GridPricing::of(graph)) {
    std::vector<std::vector<PlacementId>> paths;
    is_bounded = pricing && pricing->price(problem.start(), {}, paths);
  }

  LabelSearch::Outcome search(double cut, double tolerance) {
    return StageSearch(graph).run({problem.start(), cut, tolerance, tolerance}, pricing->bound(),
                                  {20'000, {}});
  }

  LabelSearch::Outcome search_on(unsigned workers, double cut) {
    return StageSearch(graph, workers)
        .run({problem.start(), cut, 0, 0}, pricing->bound(), {20'000, {}});
  }

  // By fronts, which a shape that is not known to be free asks for.
  std::optional<double> least_energy() const {
    PlanShape shape = PlanShape::any();
    shape.is_free = false;
    const auto result =
        make_exact_planner(problem, Estimator::Expected, shape, {})->plan(problem.start(), {});
    if (!result.plan) return {};
    return result.plan->end().energy.value;
  }

  const Problem problem;
  const SearchGraph graph;
  std::optional<GridPricing> pricing;
  bool is_bounded = false;
};

TEST(StageSearch, FindsTheBestPlanOrThatThereIsNone) {
  int feasible = 0;
  int infeasible = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Case c(seed);
    if (!c.is_bounded) continue;
    const auto least = c.least_energy();
    const LabelSearch::Outcome found =
        c.search(least ? 1.02 * *least : c.pricing->least_energy(c.problem.start()) + 1, 0);
    if (!found.complete) continue;  // whole epochs too long for bounds by fractions of them
    ASSERT_EQ(found.path.empty(), !least) << seed;
    if (!least) {
      ++infeasible;
      continue;
    }
    ++feasible;
    const Plan plan = follow(c.problem, Estimator::Expected, c.problem.start(), found.path);
    EXPECT_TRUE(c.problem.goal().reached(plan.end().loss, plan.end().time)) << seed;
    EXPECT_NEAR(plan.end().energy.value, *least, 1e-8 * *least) << seed;
    // Nothing is left out by a cut just above it, and nothing is below it.
    EXPECT_FALSE(c.search(*least * (1 + 1e-6), 0).path.empty()) << seed;
    EXPECT_TRUE(c.search(*least * (1 - 1e-6), 0).path.empty()) << seed;
  }
  EXPECT_GE(feasible, 60);
  EXPECT_GE(infeasible, 3);
}

TEST(StageSearch, ToleranceMakesFewerLabelsAndPlansThatStillReachTheGoal) {
  std::int64_t exact = 0;
  std::int64_t rough = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Case c(seed);
    if (!c.is_bounded) continue;
    const auto least = c.least_energy();
    if (!least) continue;
    const LabelSearch::Outcome best = c.search(1.05 * *least, 0);
    const LabelSearch::Outcome good = c.search(1.05 * *least, 0.05);
    exact += best.labels;
    rough += good.labels;
    if (good.path.empty()) continue;
    const Plan plan = follow(c.problem, Estimator::Expected, c.problem.start(), good.path);
    EXPECT_TRUE(c.problem.goal().reached(plan.end().loss, plan.end().time)) << seed;
    EXPECT_GE(plan.end().energy.value, best.energy * (1 - 1e-9)) << seed;
  }
  EXPECT_LT(rough, exact);
}

TEST(StageSearch, PassesThroughPlacementsThatLearnNothing) {
  Case c(problem_with_idle_stage());
  ASSERT_TRUE(c.is_bounded);
  const double least = c.least_energy().value();
  EXPECT_NEAR(c.search(1.01 * least, 0).energy, least, 1e-8 * least);
}

TEST(StageSearch, GoesOnWhereAllLabelsOfAboutTheSameEnergyAreOfNoUse) {
  Case c(503);
  ASSERT_TRUE(c.is_bounded);
  EXPECT_FALSE(c.search(1.01 * c.least_energy().value(), 0.1).path.empty());
}

TEST(StageSearch, SaysTheSameOnAnyNumberOfCores) {
  int with_many_labels = 0;
  for (const std::uint64_t seed : {1, 2, 3, 23, 61, 62, 156, 219, 223, 287}) {
    Case c(seed);
    if (!c.is_bounded) continue;
    const auto alone = c.search_on(1, 1e9);
    const auto together = c.search_on(4, 1e9);
    EXPECT_EQ(alone.path, together.path) << seed;
    EXPECT_EQ(alone.labels, together.labels) << seed;
    with_many_labels += alone.labels > 1000;
  }
  EXPECT_GE(with_many_labels, 3);
}

}  // namespace
}  // namespace espalier
