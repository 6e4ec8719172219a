// SPDX-License-Identifier: Apache-2.0
#include "replay/traced_world.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/plan.h"
#include "replay/example_traces.h"
#include "replay/trace_imagination.h"
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

// Every way to stay so long on gold, silver and bronze.
double least_energy_by_enumeration(const Example& example) {
  double least = 1e9;
  for (int gold = 0; gold <= kExampleLength; ++gold) {
    for (int silver = 0; silver <= kExampleLength; ++silver) {
      for (int bronze = 0; bronze <= (silver > 0 ? kExampleLength : 0); ++bronze) {
        const State end = example.live(course(gold, silver, bronze)).back();
        if (example.problem.goal().reached(end.loss, end.time))
          least = std::min(least, end.energy.value);
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
    EXPECT_DOUBLE_EQ(best.plan->end().energy.value, least_energy_by_enumeration(example)) << goal;
  }
}

TEST(TracedOptimum, KnowsWhatIsOutOfReach) {
  Scenario scenario = example_world();
  scenario.goal = {Loss{3.0}, Seconds{5}, 0.95};
  const Example example(example_traces(), scenario);
  EXPECT_EQ(traced_optimum(example.world, example.problem, 0).verdict, Verdict::Infeasible);
}

}  // namespace
}  // namespace espalier
