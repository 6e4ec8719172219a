// SPDX-License-Identifier: Apache-2.0
// What could be promised instead of what can't.
#pragma once

#include <stop_token>

#include "core/strategy.h"

namespace espalier {

// Each of three ways out by itself, the rest of the goal as it is: a higher loss, a later deadline,
// a lower probability. The first two by bisection, asking the strategy; each absent where nothing
// reasonable helps or the search was stopped. REQUIRES: the strategy promises; `result` is its
// answer, and infeasible.
Nearest nearest_promise(const Strategy& strategy, const Problem& problem, const PlanResult& result,
                        const PlannerOptions& options, std::stop_token stop);

}  // namespace espalier
