// SPDX-License-Identifier: Apache-2.0
// What could be had instead of a goal that cannot be reached.
#pragma once

#include <stop_token>

#include "core/plan.h"

namespace espalier {

// The least loss that can be reached by the deadline, and the earliest time at which the target
// loss can be reached, from `now`; each absent where nothing helps or the search was stopped.
Nearest nearest_goal(const Problem& problem, Estimator estimator, const State& now,
                     std::stop_token stop);

}  // namespace espalier
