// SPDX-License-Identifier: Apache-2.0
#include "courses/committed_planner.h"

#include <cmath>

namespace espalier {
namespace {

// Real epochs never take exactly as long as planned. A run that is later than this, as a share of
// the time since the decision, has other prospects than those that were promised.
constexpr double kTolerableDrift = 0.1;

}  // namespace

PlanResult CommittedPlanner::plan(const State& now, std::stop_token stop) {
  if (const auto done = progress(now)) return *done == 0 ? *decided_ : rest_from(now, *done);
  PlanResult result = decide(now, stop);
  // A decision that was cut short is not one to stand by.
  decided_ = stop.stop_requested() ? std::nullopt : std::optional(result);
  return result;
}

std::optional<std::size_t> CommittedPlanner::progress(const State& now) const {
  if (!decided_ || !decided_->plan) return std::nullopt;
  const Plan& plan = *decided_->plan;
  const int done = now.epoch - plan.start.epoch;
  if (done < 0 || static_cast<std::size_t>(done) > plan.steps.size()) return std::nullopt;
  const State planned = plan.after(static_cast<std::size_t>(done));
  const double elapsed = (planned.time - plan.start.time).value;
  const double drift = std::abs((planned.time - now.time).value);
  const bool is_there = planned.placement == now.placement &&
                        drift <= kTolerableDrift * elapsed + 1e-9 * now.time.value &&
                        (done > 0 || planned.loss == now.loss);
  return is_there ? std::optional(static_cast<std::size_t>(done)) : std::nullopt;
}

PlanResult CommittedPlanner::rest_from(const State& now, std::size_t done) const {
  PlanResult result;
  result.estimator = decided_->estimator;
  result.verdict = decided_->verdict;
  result.chance = decided_->chance;
  if (result.chance) result.chance->is_of_start = true;
  std::vector<PlacementId> rest;
  for (std::size_t i = done; i < decided_->plan->steps.size(); ++i)
    rest.push_back(decided_->plan->steps[i].placement);
  if (rest.empty()) {
    result.verdict = Verdict::Infeasible;
    result.notes.emplace_back("the plan has come to its end without reaching the goal");
    return result;
  }
  result.plan = follow_to_end(problem_, result.estimator, now, rest);
  return result;
}

}  // namespace espalier
