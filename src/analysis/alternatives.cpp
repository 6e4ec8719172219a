// SPDX-License-Identifier: Apache-2.0
#include "analysis/alternatives.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "courses/data_choice.h"
#include "strategies/registry.h"

namespace espalier {
namespace {

// Enough for every strategy on the problems that people look at; beyond it an alternative says so.
constexpr std::int64_t kLabelsEach = 1'000'000;

bool is_worth_showing(const StrategyInfo& info, const StrategyInfo& chosen, Estimator estimator) {
  if (info.name == chosen.name || info.tiny_only) return false;
  // What a promise costs is compared with what others cost that keep it.
  if (info.promises != chosen.promises) return false;
  // It takes longer than all others together.
  if (info.name == "policy") return false;
  const bool is_same_as_exact = info.name == "expectation" && estimator == Estimator::Expected;
  return !is_same_as_exact;
}

std::map<PlacementId, double> energy_by_placement(const Plan& plan) {
  std::map<PlacementId, double> energy;
  for (const Stage& stage : plan.stages()) energy[stage.placement] += stage.energy.value;
  return energy;
}

std::optional<ExtraSpending> largest_extra(const Plan& chosen, const Plan& other) {
  const auto ours = energy_by_placement(chosen);
  std::optional<ExtraSpending> largest;
  double most = 0;
  for (const auto& [placement, theirs] : energy_by_placement(other)) {
    const auto at = ours.find(placement);
    const double here = at == ours.end() ? 0 : at->second;
    if (theirs - here <= most) continue;
    most = theirs - here;
    largest = ExtraSpending{placement, Joules{theirs}, Joules{here}};
  }
  return largest;
}

Standing standing_of(const Problem& problem, const PlanResult& chosen, const PlanResult& other) {
  const bool reaches =
      other.plan &&
      (other.chance ? other.verdict != Verdict::Infeasible
                    : problem.goal().reached(other.plan->end().loss, other.plan->end().time));
  if (!reaches) return other.verdict == Verdict::Limit ? Standing::GaveUp : Standing::Unreachable;
  if (!chosen.plan) return Standing::Reaches;
  const double ours = chosen.cost().value;
  const double theirs = other.cost().value;
  if (std::abs(theirs - ours) <= 1e-9 * ours) return Standing::Same;
  return theirs < ours ? Standing::Cheaper : Standing::Dearer;
}

}  // namespace

std::vector<Alternative> alternatives_to(const Problem& problem, const StrategyInfo& chosen,
                                         const PlanResult& result, const PlannerOptions& options,
                                         std::stop_token stop) {
  PlannerOptions same = options;
  same.estimator = result.estimator;
  same.max_labels = std::min(options.max_labels, kLabelsEach);
  std::vector<Alternative> all;
  for (const Strategy* strategy : all_strategies()) {
    if (!is_worth_showing(strategy->info(), chosen, result.estimator)) continue;
    if (has_data_choice(problem) && !strategy->info().chooses_data) continue;
    Alternative other;
    other.strategy = strategy->info().name;
    other.result.verdict = Verdict::Limit;
    if (!stop.stop_requested())
      other.result = strategy->planner(problem, same)->plan(problem.start(), stop);
    other.standing = standing_of(problem, result, other.result);
    if (other.standing == Standing::GaveUp && stop.stop_requested())
      other.standing = Standing::OutOfTime;
    if (other.standing == Standing::Dearer)
      other.extra = largest_extra(*result.plan, *other.result.plan);
    all.push_back(std::move(other));
  }
  return all;
}

}  // namespace espalier
