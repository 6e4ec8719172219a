// SPDX-License-Identifier: Apache-2.0
// A plan in time from two that are not what we want: one too late, one too dear.
#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "core/plan.h"
#include "search/cost_bound.h"

namespace espalier {

// Problem.    A plan close to the least-energy one, from bounds for several prices of time.
// Idea.       The Lagrangian bound is that of a mixture of a late plan and an early one. The
//             nearest real plan follows one of them for some epochs, then what the other's bound
//             advises. When to change over is found by bisection on the deadline, for every pair.
// Complexity. O(bounds² · log epochs) plans followed.
// Nothing if no plan so made is in time.
std::optional<Plan> splice(const SearchGraph& graph, std::span<const CostBound* const> bounds,
                           const State& now, const std::stop_token& stop);

}  // namespace espalier
