// SPDX-License-Identifier: Apache-2.0
#include "replay/traced_world.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/plan.h"
#include "replay/example_traces.h"
#include "replay/trace_imagination.h"
#include "replay/traced_even_course.h"
#include "replay/traced_optimum.h"
#include "support/text.h"

namespace espalier {
namespace {

constexpr PlacementId kGold{0};     // L
constexpr PlacementId kSilver{1};   // M
constexpr PlacementId kBronzeM{2};  // M
constexpr PlacementId kBronze{3};   // S
constexpr const char* kFile = "traces.csv";

// The example's scenario and traces, matched.
struct Example {
  explicit Example(const std::vector<TraceRow>& rows = example_traces(),
                   const Scenario& told = example_world())
      : scenario(told),
        all(Problem::estimated(scenario)),
        world(scenario, all, rows, kFile),
        problem(world.within(all)) {}

  std::vector<State> live(const std::vector<PlacementId>& placements, std::size_t run = 0) const {
    const auto reality = reality_of(world, problem)(1, run);
    std::vector<State> states{problem.start()};
    for (const PlacementId p : placements) states.push_back(*reality->advance(states.back(), p));
    return states;
  }

  Scenario scenario;
  Problem all;
  TracedWorld world;
  Problem problem;
};

std::vector<PlacementId> course(int gold, int silver, int bronze = 0) {
  std::vector<PlacementId> all(static_cast<std::size_t>(gold), kGold);
  all.insert(all.end(), static_cast<std::size_t>(silver), kSilver);
  all.insert(all.end(), static_cast<std::size_t>(bronze), kBronze);
  return all;
}

TEST(TracedWorld, OffersWhatWasTracedAlone) {
  const Example example;
  EXPECT_TRUE(example.problem.change(kGold, kSilver).has_value());
  EXPECT_TRUE(example.problem.change(kSilver, kBronze).has_value());
  EXPECT_TRUE(example.all.change(kGold, kBronzeM).has_value());
  EXPECT_FALSE(example.problem.change(kGold, kBronzeM).has_value());
  EXPECT_FALSE(example.problem.change(kGold, kBronze).has_value());
  EXPECT_TRUE(example.world.notes().empty());
}

TEST(TracedWorld, TakesLossesFromTracesAndCostsFromTheScenario) {
  const Example example;
  const auto states = example.live(course(6, 2));
  EXPECT_NEAR(states[6].loss.value, 3.4, 1e-12);
  EXPECT_NEAR(states[8].loss.value, 4 - 0.4, 1e-12);
  EXPECT_DOUBLE_EQ(states[8].time.value, 6 + 0.5 + 4);
  EXPECT_DOUBLE_EQ(states[8].energy.value, 18 + 0.25 + 4);
}

TEST(TracedWorld, RefusesAnEpochThatWasNeverTraced) {
  const Example example;
  const auto reality = reality_of(example.world, example.all)(1, 0);
  EXPECT_FALSE(reality->advance(example.all.start(), kBronze).has_value());
  EXPECT_TRUE(reality->advance(example.all.start(), kGold).has_value());
}

// A fresh network is L before its first epoch. Nothing else can be done with it.
TEST(TracedWorld, ToAModelOfTheSameRatioNothingChanges) {
  Scenario scenario = example_world();
  scenario.models.push_back({"fresh", {}, 0});
  scenario.model_changes.push_back({{3}, {0}, {}, {}, {}});
  scenario.start.model = {3};
  const Example example(example_traces(), scenario);
  const PlacementId start = example.problem.start().placement;
  EXPECT_TRUE(example.problem.change(start, kGold).has_value());
  EXPECT_FALSE(example.problem.change(start, kSilver).has_value());
  const auto states = example.live(course(6, 2));
  EXPECT_NEAR(states[6].loss.value, 3.4, 1e-12);
  EXPECT_NEAR(states[8].loss.value, 4 - 0.4, 1e-12);
}

TEST(TracedWorld, CountsEpochsBeyondTheTraces) {
  const Example example;
  const auto reality = reality_of(example.world, example.problem)(1, 0);
  State now = example.problem.start();
  for (int i = 0; i < kExampleLength + 3; ++i) now = *reality->advance(now, kGold);
  EXPECT_EQ(reality->unknown_epochs(), 3);
  EXPECT_NEAR(now.loss.value, 2, 1e-12);
}

TEST(TracedWorld, EachRunHasItsSeed) {
  std::vector<TraceRow> rows = example_traces();
  const auto more = example_traces(7, 0.5);
  rows.insert(rows.end(), more.begin(), more.end());
  const Example example(rows);
  EXPECT_EQ(example.world.seed_count(), 2U);
  EXPECT_NEAR(example.live(course(1, 0), 0).back().loss.value, 3.9, 1e-12);
  EXPECT_NEAR(example.live(course(1, 0), 3).back().loss.value, 4.4, 1e-12);
}

TEST(TracedWorld, LeavesOutSeedsThatKnowLess) {
  std::vector<TraceRow> rows = example_traces();
  add_stage(rows, "2/gold", {9, 0}, 3);
  const Example example(rows);
  EXPECT_EQ(example.world.seed_count(), 1U);
  ASSERT_EQ(example.world.notes().size(), 1U);
  EXPECT_TRUE(contains(example.world.notes()[0], "seed 2")) << example.world.notes()[0];
}

TEST(TracedWorld, LeavesOutChangesThatWereTracedAfterSomeCoursesOnly) {
  // M on bronze can be had from silver and straight from gold; only the latter went on to S.
  std::vector<TraceRow> rows = example_traces();
  add_stage(rows, "1/gold/5x0.5/bronze", {5, 0.1}, 9);
  add_stage(rows, "1/gold/5x0.5/silver/4x0/bronze", {5, 0.1}, 9);
  add_stage(rows, "1/gold/5x0.5/bronze/4x0.25/silver", {5, 0.1}, 9);
  Scenario scenario = example_world();
  scenario.runs.push_back(scenario.runs.back());
  scenario.runs.back().nodes = {1};
  const Example example(rows, scenario);
  EXPECT_TRUE(example.problem.change(kSilver, kBronzeM).has_value());
  EXPECT_FALSE(example.problem.change(kBronzeM, PlacementId{4}).has_value());
  ASSERT_EQ(example.world.notes().size(), 1U);
  EXPECT_TRUE(contains(example.world.notes()[0], "M on bronze → S on silver"));
}

std::string refusal(const std::vector<TraceRow>& rows, const Scenario& scenario) {
  try {
    const Example example(rows, scenario);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return std::string(error.what()) + " / " + error.hint();
  }
  return "accepted";
}

TEST(TracedWorld, SaysWhatTheTracesKnowIfThatIsSomethingElse) {
  Scenario scenario = example_world();
  scenario.node_sets[0].name = "golt";
  const std::string told = refusal(example_traces(), scenario);
  EXPECT_TRUE(contains(told, "traces.csv: no run begins where the scenario does, with L on golt"))
      << told;
  EXPECT_TRUE(contains(told, "did you mean 'gold'?")) << told;
  EXPECT_TRUE(contains(told, "silver with 0.5 pruned")) << told;
}

TEST(TracedWorld, RefusesDataOptions) {
  Scenario scenario = example_world();
  scenario.node_sets[0].data_options = {{.name = "all"}, {.name = "half"}};
  EXPECT_TRUE(contains(refusal(example_traces(), scenario), "data options"));
}

// --- imagination
// ---------------------------------------------------------------------------------

TEST(TraceImagination, TellsWhatWillHappen) {
  const Example example;
  const auto states = example.live(course(6, 5, 4));
  Plan so_far{example.problem.start(), {}};
  for (std::size_t i = 1; i <= 3; ++i)
    so_far.steps.push_back({states[i].placement, states[i].loss, states[i].time, {}});
  const TraceImagination imagination(example.world, example.problem, 0);
  const std::vector<Itinerary> itineraries{
      {{kGold, 3}}, {{kGold, 3}, {kSilver, 5}}, {{kGold, 3}, {kSilver, 5}, {kBronze, 4}}};
  const auto imagined = imagination.imagine(so_far, itineraries, 2);
  ASSERT_EQ(imagined.size(), 3U);
  EXPECT_EQ(imagined[0].arrival.mean, states[3].loss.value);
  EXPECT_EQ(imagined[0].losses.size(), 3U);
  EXPECT_EQ(imagined[0].losses.back().high, states[6].loss.value);
  EXPECT_NEAR(imagined[1].arrival.mean, 4, 1e-12);
  EXPECT_EQ(imagined[1].losses[4].low, states[11].loss.value);
  EXPECT_EQ(imagined[2].losses[3].mean, states[15].loss.value);
  ASSERT_EQ(imagined[2].ways.size(), 2U);
  EXPECT_EQ(imagined[2].ways[0], imagined[2].ways[1]);
  EXPECT_EQ(imagined[2].ways[0][3], states[15].loss.value);
}

// --- optimum
// -------------------------------------------------------------------------------------

struct Stays {
  int gold = 0;
  int silver = 0;
  int bronze = 0;
};

bool any_stays(const Example&, const Stays&) { return true; }

// Every way to stay so long on gold, silver and bronze that counts.
double least_by_enumeration(
    const Example& example, bool (*counts)(const Example&, const Stays&) = any_stays,
    double (*spent)(const State&) = [](const State& end) { return end.energy.value; }) {
  double least = 1e9;
  for (int gold = 0; gold <= kExampleLength; ++gold) {
    for (int silver = 0; silver <= kExampleLength; ++silver) {
      for (int bronze = 0; bronze <= (silver > 0 ? kExampleLength : 0); ++bronze) {
        if (!counts(example, {gold, silver, bronze})) continue;
        const State end = example.live(course(gold, silver, bronze)).back();
        if (example.problem.goal().reached(end.loss, end.time)) least = std::min(least, spent(end));
      }
    }
  }
  return least;
}

TEST(TracedOptimum, IsTheCheapestOfAllCourses) {
  for (const double goal : {3.4, 3.0, 1.5, 0.5}) {
    Scenario scenario = example_world();
    scenario.goal.loss = Loss{goal};
    const Example example(example_traces(), scenario);
    const PlanResult best = traced_optimum(example.world, example.problem, 0);
    ASSERT_EQ(best.verdict, Verdict::Optimal) << goal;
    EXPECT_DOUBLE_EQ(best.plan->end().energy.value, least_by_enumeration(example)) << goal;
  }
}

TEST(TracedOptimum, KnowsWhatIsOutOfReach) {
  Scenario scenario = example_world();
  scenario.goal = {Loss{3.0}, Seconds{5}, 0.95};
  const Example example(example_traces(), scenario);
  EXPECT_EQ(traced_optimum(example.world, example.problem, 0).verdict, Verdict::Infeasible);
}

Example example_for(double goal) {
  Scenario scenario = example_world();
  scenario.goal.loss = Loss{goal};
  return Example(example_traces(), scenario);
}

TEST(TracedOptimum, MayBeTheQuickestCourse) {
  for (const double goal : {3.4, 3.0, 1.5}) {
    const Example example = example_for(goal);
    const PlanResult best =
        traced_optimum(example.world, example.problem, 0, {}, {.least = CourseWish::Least::Time});
    ASSERT_EQ(best.verdict, Verdict::Optimal) << goal;
    EXPECT_DOUBLE_EQ(
        best.plan->end().time.value,
        least_by_enumeration(example, any_stays, [](const State& end) { return end.time.value; }))
        << goal;
  }
}

TEST(TracedOptimum, MayBeOfCoursesWithFewSwitches) {
  const auto one = [](const Example&, const Stays& stays) {
    return (stays.gold > 0 && stays.silver > 0) + (stays.bronze > 0) <= 1 && stays.gold > 0;
  };
  const auto none = [](const Example&, const Stays& stays) {
    return stays.silver + stays.bronze == 0;
  };
  for (const double goal : {3.4, 3.0, 2.5}) {
    const Example example = example_for(goal);
    const auto energy = [&](int switches) {
      const auto best =
          traced_optimum(example.world, example.problem, 0, {}, {.most_switches = switches});
      return best.plan ? best.plan->end().energy.value : 1e9;
    };
    EXPECT_DOUBLE_EQ(energy(0), least_by_enumeration(example, none)) << goal;
    EXPECT_LE(energy(1), least_by_enumeration(example, one)) << goal;
    EXPECT_GE(energy(0), energy(1)) << goal;
    EXPECT_GE(energy(1), energy(2)) << goal;
  }
}

// Gold falls from 4 by 0.2 an epoch, silver from 3 by 0.1, bronze from 2.5 by 0.1, whenever they
// were changed to.
Example steady_example(double goal) {
  std::vector<TraceRow> rows;
  const std::string gold = first_run_id(1, "gold");
  add_stage(rows, gold, {4, 0.2}, kExampleLength);
  for (const int first : {1, 10}) {
    const std::string silver = handed_over_run_id(pruned_run_id(gold, first, 0.5), "silver");
    add_stage(rows, silver, {3, 0.1}, kExampleLength);
    for (const int second : {1, 10}) {
      const std::string bronze = handed_over_run_id(pruned_run_id(silver, second, 0.25), "bronze");
      add_stage(rows, bronze, {2.5, 0.1}, kExampleLength);
    }
  }
  Scenario scenario = example_world();
  scenario.goal.loss = Loss{goal};
  return Example(rows, scenario);
}

std::vector<int> lengths_of(const Plan& plan) {
  std::vector<int> lengths;
  for (const Stage& stage : plan.stages()) lengths.push_back(stage.epochs);
  return lengths;
}

TEST(TracedEvenCourse, LetsAllModelsLowerTheLossAlike) {
  const Example example = steady_example(1.5);
  const PlanResult best = traced_even_course(example.world, example.problem, 0);
  ASSERT_EQ(best.verdict, Verdict::Feasible);
  EXPECT_EQ(lengths_of(*best.plan), (std::vector{5, 10, 10}));
  EXPECT_TRUE(best.notes.empty());
}

TEST(TracedEvenCourse, IsTheCheapestOfThoseThatAreAsEvenAsCanBe) {
  // Bronze lowers the loss by 0.9, gold by 0.8 or 1.0.
  const Example example = steady_example(1.6);
  const PlanResult best = traced_even_course(example.world, example.problem, 0);
  ASSERT_EQ(best.verdict, Verdict::Feasible);
  EXPECT_EQ(lengths_of(*best.plan), (std::vector{4, 8, 9}));
  ASSERT_EQ(best.notes.size(), 1U);
  EXPECT_TRUE(contains(best.notes[0], "times the smallest")) << best.notes[0];
}

TEST(TracedEvenCourse, MayNotExist) {
  const Example example = steady_example(0.1);
  EXPECT_EQ(traced_even_course(example.world, example.problem, 0).verdict, Verdict::Infeasible);
}

}  // namespace
}  // namespace espalier
