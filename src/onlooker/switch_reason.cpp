// SPDX-License-Identifier: Apache-2.0
#include "onlooker/switch_reason.h"

#include <fmt/format.h>

#include "render/figures.h"

namespace espalier {
namespace {

// Whoever has not reached the goal by then is said not to reach it.
constexpr std::size_t kMostEpochsOfStaying = 10'000;

bool has_loss_of_goal(const Problem& problem, const Plan& plan) {
  return problem.goal().reached(plan.end().loss, Seconds{0});
}

std::string energy_from(const State& from, const Plan& plan) {
  return energy_figure(plan.end().energy - from.energy);
}

// Of whoever stays.
std::string fate(const Problem& problem, const State& from, const Plan& plan) {
  if (!has_loss_of_goal(problem, plan)) return "would not reach the goal";
  if (!problem.goal().reached(plan.end().loss, plan.end().time))
    return "would reach the goal after the deadline";
  return "would cost " + energy_from(from, plan);
}

}  // namespace

std::string compared_with_staying(const Problem& problem, Estimator estimator, const State& from,
                                  std::span<const PlacementId> way) {
  const std::vector<PlacementId> staying(kMostEpochsOfStaying, from.placement);
  const Plan changed = follow(problem, estimator, from, way);
  const Plan stayed = follow(problem, estimator, from, staying);
  const std::string other = fmt::format("staying with {} {}", problem.name_of(from.placement),
                                        fate(problem, from, stayed));
  if (!has_loss_of_goal(problem, changed)) return other;
  return fmt::format("the goal costs {} from here; {}", energy_from(from, changed), other);
}

}  // namespace espalier
