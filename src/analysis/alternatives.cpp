// SPDX-License-Identifier: Apache-2.0
#include "analysis/alternatives.h"

#include <cmath>
#include <map>
#include <sstream>

#include "strategies/registry.h"

namespace espalier {
namespace {

// Enough for every strategy on the problems that people look at; beyond it an alternative says so.
constexpr std::int64_t kMaxLabels = 500'000;

bool is_worth_showing(const StrategyInfo& info, const StrategyInfo& chosen, Estimator estimator) {
  if (info.name == chosen.name || info.name == "brute-force") return false;
  const bool is_same_as_exact = info.name == "expectation" && estimator == Estimator::Expected;
  return !is_same_as_exact;
}

std::map<PlacementId, double> energy_by_placement(const Plan& plan) {
  std::map<PlacementId, double> energy;
  for (const Stage& stage : plan.stages()) energy[stage.placement] += stage.energy.value;
  return energy;
}

std::string joules(double value) {
  std::ostringstream text;
  text.precision(4);
  text << value << " J";
  return text.str();
}

// The placement on which the other plan spends most more.
std::string main_difference(const Problem& problem, const Plan& chosen, const Plan& other) {
  const auto ours = energy_by_placement(chosen);
  double most = 0;
  std::string sentence = "spends a little more everywhere";
  for (const auto& [placement, theirs] : energy_by_placement(other)) {
    const auto at = ours.find(placement);
    const double here = at == ours.end() ? 0 : at->second;
    if (theirs - here <= most) continue;
    most = theirs - here;
    sentence = joules(theirs) + " on " + problem.name_of(placement) + (here > 0 ? ", here " + joules(here) : ", here none");
  }
  return sentence;
}

std::string reason_for(const Problem& problem, const PlanResult& chosen, const PlanResult& other) {
  const bool has_goal = other.plan && problem.goal().reached(other.plan->end().loss, other.plan->end().time);
  if (!has_goal) return other.verdict == Verdict::Limit ? "gave up: too many possibilities" : "no such plan reaches the goal";
  if (!chosen.plan) return "reaches the goal";
  const double ours = chosen.plan->end().energy.value;
  const double theirs = other.plan->end().energy.value;
  if (std::abs(theirs - ours) <= 1e-9 * ours) return "the same energy";
  if (theirs < ours) return "cheaper: the chosen strategy is not exact";
  return main_difference(problem, *chosen.plan, *other.plan);
}

}  // namespace

std::vector<Alternative> alternatives_to(const Problem& problem, const StrategyInfo& chosen, const PlanResult& result,
                                         const PlannerOptions& options, std::stop_token stop) {
  PlannerOptions same = options;
  same.estimator = result.estimator;
  same.max_labels = std::min(options.max_labels, kMaxLabels);
  std::vector<Alternative> all;
  for (const Strategy* strategy : all_strategies()) {
    if (stop.stop_requested()) break;
    if (!is_worth_showing(strategy->info(), chosen, result.estimator)) continue;
    Alternative other{strategy->info().name, strategy->planner(problem, same)->plan(problem.start(), stop), {}};
    other.reason = reason_for(problem, result, other.result);
    all.push_back(std::move(other));
  }
  return all;
}

}  // namespace espalier
