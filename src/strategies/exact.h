// SPDX-License-Identifier: Apache-2.0
// The least-energy plan that reaches the goal, with proof.
#pragma once

#include <memory>

#include "core/strategy.h"
#include "search/search_graph.h"

namespace espalier {

const Strategy& exact_strategy();

// The machinery behind it, for any shape of plan: used by one-switch, no-switch and expectation
// too.
std::unique_ptr<Planner> make_exact_planner(const Problem& problem, Estimator estimator,
                                            const PlanShape& shape, const PlannerOptions& options);

}  // namespace espalier
