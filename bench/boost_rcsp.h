// SPDX-License-Identifier: Apache-2.0
// The planning problem for boost::r_c_shortest_paths: the general solver a C++ programmer would
// reach for.
#pragma once

#include "core/problem.h"
#include "core/units.h"
#include "solution.h"

namespace espalier::bench {

// One vertex per placement if no rule depends on the epoch number, otherwise one per epoch and
// placement. Resources are energy, time and loss; extension is monotone, so Pareto dominance is
// exact. Stops after about `limit`.
Solution solve_with_boost(const Problem& problem, Estimator estimator, Seconds limit);

}  // namespace espalier::bench
