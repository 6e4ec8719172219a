// SPDX-License-Identifier: Apache-2.0
// A plain forward search for a plan that is cheap in one scalar cost, for making instances.
#pragma once

#include <optional>
#include <vector>

#include "core/plan.h"
#include "core/problem.h"

namespace espalier::bench {

enum class ScalarCost { Time, Energy };

// A nearly least-cost plan that reaches the goal's loss, the deadline ignored. Of many
// placements only those that learn most per cost at some loss are looked at, so that it stays
// quick.
std::optional<Plan> cheap_plan(const Problem& problem, Estimator estimator, ScalarCost cost);

}  // namespace espalier::bench
