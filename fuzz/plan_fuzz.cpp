// SPDX-License-Identifier: Apache-2.0
// Whatever a scenario says: every strategy answers soon, with bounded memory, and only with plans
// that are sound.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "core/plan_checker.h"
#include "io/scenario_file.h"
#include "strategies/registry.h"
#include "timeout.h"

namespace {

constexpr std::size_t kMostPlacements = 12;
constexpr std::int64_t kMostLabels = 300;
// Then a strategy is asked to stop. Those that draw realisations take minutes where every access to
// memory is checked.
constexpr espalier::Seconds kPatience{1};

bool has_one_data_option(const espalier::Scenario& scenario) {
  for (const auto& nodes : scenario.node_sets) {
    if (nodes.data_options.size() > 1) return false;
  }
  return true;
}

void plan_with(const espalier::Strategy& strategy, const espalier::Scenario& scenario,
               const espalier::Problem& problem) {
  using namespace espalier;
  PlannerOptions options;
  options.max_labels = kMostLabels;
  const bench::Timeout timeout(kPatience);
  const PlanResult result =
      strategy.planner(problem, options)->plan(problem.start(), timeout.token());
  const bool reaches = result.verdict == Verdict::Optimal || result.verdict == Verdict::Feasible;
  if (reaches && !result.plan) std::abort();
  const auto demand = reaches ? GoalDemand::Needed : GoalDemand::NotNeeded;
  if (!check_plan(scenario, problem, result, demand).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace espalier;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ScenarioReading reading = read_scenario(text, "fuzz.yaml");
  if (!reading.scenario || !has_one_data_option(*reading.scenario)) return 0;
  try {
    const Problem problem = Problem::estimated(*reading.scenario);
    if (problem.size() > kMostPlacements || problem.last_special_epoch() > 200) return 0;
    for (const Strategy* strategy : all_strategies())
      plan_with(*strategy, *reading.scenario, problem);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Bug) std::abort();
  }
  return 0;
}
