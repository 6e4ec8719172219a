// SPDX-License-Identifier: Apache-2.0
// The cheapest plan within a number of switches, over the whole run.
#pragma once

#include <memory>

#include "core/strategy.h"

namespace espalier {

// Proved cheapest among plans with at most `switches` switches. Asked again in the course of a run,
// it remembers how many of them it has seen happen.
std::unique_ptr<Planner> make_switch_budget_planner(const Problem& problem, Estimator estimator,
                                                    int switches, const PlannerOptions& options);

}  // namespace espalier
