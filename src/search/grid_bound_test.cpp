// SPDX-License-Identifier: Apache-2.0
#include "search/grid_bound.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "search/cost_front.h"
#include "search/grid_bundle.h"
#include "search/grid_pricing.h"
#include "strategies/exact.h"
#include "support/random_scenario.h"

namespace espalier {
namespace {

using support::random_scenario;
using support::RuleKind;

// Learns so slowly that plans take a hundred epochs and more.
Problem slow_problem(std::uint64_t seed) {
  Scenario scenario = random_scenario(seed, {.epochs = 250, .kind = RuleKind::Power});
  for (RunSpec& run : scenario.runs) {
    auto& rule = std::get<PowerRule>(std::get<RuleShape>(run.learn.rule));
    rule.rate *= 0.06;
    rule.power = std::max(1.0, rule.power);
  }
  return Problem::estimated(scenario);
}

std::shared_ptr<const GridMap> map_of(const SearchGraph& graph, std::size_t cells) {
  auto map = GridMap::of(graph, cells);
  return map ? std::make_shared<const GridMap>(std::move(*map)) : nullptr;
}

TEST(LossGrid, FindsWhatItHolds) {
  const LossGrid grid(0.15, 2.5, 100);
  for (double loss = 0.01; loss < 2.5; loss += 0.003) {
    const LossGrid::Spot spot = grid.find(loss);
    const double low = grid.knot(spot.cell);
    const double high = grid.knot(spot.cell + 1);
    EXPECT_NEAR(low + spot.share * (high - low), loss, 1e-12);
    EXPECT_LE(spot.share, 1);
    EXPECT_EQ(spot.share < 0, loss < 0.15);
  }
  EXPECT_EQ(grid.find(99).share, 1);
}

TEST(GridBound, IsNeverAboveTheFrontAndNotFarBelow) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Problem problem = slow_problem(seed);
    const SearchGraph graph(problem, Estimator::Expected, PlanShape::any());
    const auto map = map_of(graph, 256);
    if (!map) continue;
    CostFront front(graph, 1, 0.4);
    front.extend_to(1e300, {}, 10'000'000);
    const double exact = front.from(problem.start());
    const GridBound bound(map, 1, 0.4);
    EXPECT_GT(bound.scale(), 1 - 1e-6) << seed;
    const double start = bound.from(problem.start());
    if (!std::isfinite(exact)) continue;
    EXPECT_LE(start, exact * (1 + 1e-9)) << seed;
    EXPECT_GE(start, 0.9 * exact) << seed;
    for (NodeIndex node = 0; node < graph.size(); ++node) {
      for (double loss = problem.goal().loss.value; loss < problem.start().loss.value; loss += 0.01)
        EXPECT_LE(bound.on_arrival(node, loss), front.on_arrival(node, loss) + 1e-9) << seed;
    }
  }
}

// Where epochs are longer than the first cell, too.
TEST(GridBound, OfPlansWithALastModelIsNoWorseOnAFinerGrid) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem problem = slow_problem(seed);
    const SearchGraph graph(problem, Estimator::Expected, PlanShape::any());
    const auto coarse = map_of(graph, 128);
    const auto fine = map_of(graph, 2048);
    if (!coarse) continue;
    for (std::size_t m = 0; m < problem.model_count(); ++m) {
      const std::vector<ModelId> last{{static_cast<std::int32_t>(m)}};
      const double low = GridBound(coarse, 1, 0.4, last).from(problem.start());
      if (!std::isfinite(low)) continue;
      EXPECT_GE(GridBound(fine, 1, 0.4, last).from(problem.start()), low * (1 - 1e-3)) << seed;
      ++compared;
    }
  }
  EXPECT_GE(compared, 20);
}

TEST(GridBound, ItsPathReachesTheGoal) {
  const Problem problem = slow_problem(3);
  const SearchGraph graph(problem, Estimator::Expected, PlanShape::any());
  const GridBound bound(map_of(graph, 256), 1, 0.4);
  const Plan plan =
      follow(problem, Estimator::Expected, problem.start(), bound.cheapest_path(problem.start()));
  EXPECT_LE(plan.end().loss, problem.goal().loss_bound());
  EXPECT_GE(plan.end().energy.value + 0.4 * plan.end().time.value,
            bound.from(problem.start()) - 1e-9);
}

TEST(GridBundle, PlansByTheirLastModelAreBoundedNoWorse) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Problem problem = slow_problem(seed);
    const SearchGraph graph(problem, Estimator::Expected, PlanShape::any());
    const auto map = map_of(graph, 128);
    const auto result = exact_strategy().planner(problem, {})->plan(problem.start(), {});
    if (!map || !result.plan) continue;
    const auto kind = [&](const std::vector<ModelId>& last) {
      return GridBundle::Kind{std::make_shared<const GridBound>(map, 1, 0.4, last)};
    };
    const GridBound time(map, 0, 1);
    std::vector<GridBundle::Kind> kinds;
    for (std::size_t m = 0; m < problem.model_count(); ++m)
      kinds.push_back(kind({ModelId{static_cast<std::int32_t>(m)}}));
    const std::vector<GridBundle::Kind> one{kind({})};
    const GridBundle any(time, one);
    const GridBundle told_apart(time, kinds);
    // Along the best plan both bounds hold, of every stage but the last.
    const auto& steps = result.plan->steps;
    const double energy = result.plan->end().energy.value;
    State before = problem.start();
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      const State at = result.plan->after(i + 1);
      const auto expect_no_worse = [&](NodeIndex node, double loss) {
        const double loose = any.least_total(node, loss, at.energy.value, at.time.value, 0);
        const double tight = told_apart.least_total(node, loss, at.energy.value, at.time.value, 0);
        EXPECT_LE(tight, energy * (1 + 1e-9)) << seed;
        EXPECT_LE(loose, tight + 1e-4 * energy) << seed;
      };
      const auto change = problem.change(before.placement, at.placement);
      const auto is_elsewhere = [&](const Step& s) { return s.placement != at.placement; };
      if (std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(i), steps.end(), is_elsewhere))
        expect_no_worse(map->passing(at.placement), change->jump.expected.apply(before.loss.value));
      if (is_elsewhere(steps[i + 1])) expect_no_worse(map->leaving(at.placement), at.loss.value);
      before = at;
    }
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

// The same problem solved with fronts, which a shape that is not known to be free asks for.
TEST(GridPricing, LeadsToTheSamePlansAsFronts) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem = slow_problem(seed);
    const SearchGraph graph(problem, Estimator::Expected, PlanShape::any());
    const auto pricing = GridPricing::of(graph);
    if (!pricing || !pricing->suits(problem.start())) continue;
    PlanShape shape = PlanShape::any();
    const auto by_grid =
        make_exact_planner(problem, Estimator::Expected, shape, {})->plan(problem.start(), {});
    shape.is_free = false;
    const auto by_fronts =
        make_exact_planner(problem, Estimator::Expected, shape, {})->plan(problem.start(), {});
    ASSERT_EQ(by_grid.verdict, by_fronts.verdict) << seed;
    if (!by_grid.plan) continue;
    EXPECT_NEAR(by_grid.plan->end().energy.value, by_fronts.plan->end().energy.value,
                1e-8 * by_grid.plan->end().energy.value)
        << seed;
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

// What a planner remembers must not change what it answers, whether things went better or worse.
TEST(GridPricing, PlanningAgainIsPlanningAnew) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Problem problem = slow_problem(seed);
    const auto planner = exact_strategy().planner(problem, {});
    const auto first = planner->plan(problem.start(), {});
    if (!first.plan) continue;
    for (const double luck : {0.97, 1.0, 1.02}) {
      State state = first.plan->after(std::min<std::size_t>(3, first.plan->steps.size() - 1));
      state.loss = state.loss * luck;
      const auto again = planner->plan(state, {});
      const auto anew = exact_strategy().planner(problem, {})->plan(state, {});
      ASSERT_EQ(again.verdict, anew.verdict) << seed;
      if (!again.plan) continue;
      EXPECT_NEAR(again.plan->end().energy.value, anew.plan->end().energy.value,
                  1e-8 * anew.plan->end().energy.value)
          << seed;
      ++compared;
    }
  }
  EXPECT_GE(compared, 60);
}

// Wherever plans are told apart by their last model, the least of their bounds still holds.
TEST(GridPricing, SplittingKeepsTheBound) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem = slow_problem(seed);
    const SearchGraph graph(problem, Estimator::Expected, PlanShape::any());
    auto pricing = GridPricing::of(graph);
    const auto result = exact_strategy().planner(problem, {})->plan(problem.start(), {});
    if (!pricing || !result.plan) continue;
    std::vector<std::vector<PlacementId>> paths;
    ASSERT_TRUE(pricing->price(problem.start(), {}, paths));
    const double energy = result.plan->end().energy.value;
    const double before = pricing->least_energy(problem.start());
    EXPECT_LE(before, energy * (1 + 1e-9)) << seed;
    pricing->split(problem.start(), 1.02 * energy, {});
    EXPECT_TRUE(pricing->covers(problem.start(), 1.02 * energy)) << seed;
    EXPECT_LE(pricing->least_energy(problem.start()), energy * (1 + 1e-9)) << seed;
    EXPECT_GE(pricing->least_energy(problem.start()), before) << seed;
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

}  // namespace
}  // namespace espalier
