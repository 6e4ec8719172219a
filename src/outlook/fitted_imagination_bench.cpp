// SPDX-License-Identifier: Apache-2.0
// How long it takes to imagine how a run might go on: 9 placements, 200 epochs, 200 curves each.
#include "outlook/fitted_imagination.h"

#include <cstdlib>

#include <benchmark/benchmark.h>

#include "estimation/random_estimators.h"
#include "outlook/imagined_outlook.h"
#include "support/factory.h"

namespace espalier {
namespace {

// After 30 epochs of L on gold.
Plan course_of(const Problem& problem) {
  Plan course{problem.start(), {}};
  for (int k = 1; k <= 30; ++k) course.steps.push_back({{0}, Loss{2 / (1 + 0.1 * k)}});
  return course;
}

struct Outlooks {
  Scenario scenario = support::small_factory();
  Problem problem = Problem::estimated(scenario);
  LearningForecaster forecaster{
      support::random_run_network(1, {.hidden = 32}), support::random_change_network(2), {}};
  FittedImagination imagination{forecaster, conditions_of(scenario, problem), problem};
  Plan course = course_of(problem);
};

// One curve for each placement.
void imagined_placements(benchmark::State& state) {
  const Outlooks outlooks;
  std::vector<Itinerary> itineraries;
  for (std::int32_t i = 0; i < 9; ++i) itineraries.push_back({{{i}, 200}});
  for (auto _ : state) {
    const auto imagined = outlooks.imagination.imagine(outlooks.course, itineraries, 200);
    if (imagined.size() != 9 || imagined[8].ways[199].size() != 200) std::abort();
  }
}

// All that a re-plan asks for: curves and changes.
void renewed_estimates(benchmark::State& state) {
  const Outlooks outlooks;
  ImaginedOutlook outlook(outlooks.problem, outlooks.imagination);
  for (auto _ : state) {
    if (outlook.after(outlooks.course).size() != 9) std::abort();
  }
}

BENCHMARK(imagined_placements)->Unit(benchmark::kMillisecond);
BENCHMARK(renewed_estimates)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace espalier
