// SPDX-License-Identifier: Apache-2.0
#include "analysis/nearest_promise.h"

#include <cmath>
#include <functional>

namespace espalier {
namespace {

// Factors on the loss or the deadline beyond which nobody would call a goal near.
constexpr double kFarthest = 16;
constexpr int kHalvings = 5;

// The least factor above 1, to about three percent, with which something can be promised.
std::optional<double> least_factor(const std::function<bool(double)>& can_promise) {
  double low = 1;
  double high = 1;
  do {
    low = high;
    high *= 2;
    if (high > kFarthest) return std::nullopt;
  } while (!can_promise(high));
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = std::sqrt(low * high);
    (can_promise(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

Nearest nearest_promise(const Strategy& strategy, const Problem& problem, const PlanResult& result,
                        const PlannerOptions& options, std::stop_token stop) {
  const auto holds = [&](const Goal& goal) {
    if (stop.stop_requested()) return false;
    const Problem easier = problem.with_goal(goal);
    const PlanResult other = strategy.planner(easier, options)->plan(easier.start(), stop);
    return other.plan && other.verdict != Verdict::Infeasible;
  };
  const Goal& goal = problem.goal();
  const auto loss_factor = least_factor([&](double factor) {
    Goal easier = goal;
    easier.loss = goal.loss * factor;
    return holds(easier);
  });
  const auto time_factor = least_factor([&](double factor) {
    Goal easier = goal;
    easier.deadline = goal.deadline * factor;
    return holds(easier);
  });
  if (stop.stop_requested()) return {};
  Nearest nearest;
  if (loss_factor) nearest.loss = goal.loss * *loss_factor;
  if (time_factor) nearest.deadline = goal.deadline * *time_factor;
  // What was seen to hold, with its confidence.
  if (result.chance && result.chance->interval.low > 0)
    nearest.probability = result.chance->interval.low;
  return nearest;
}

}  // namespace espalier
