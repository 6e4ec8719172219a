// SPDX-License-Identifier: Apache-2.0
// The planning problem as a mixed-integer linear programme for CBC, where it is linear.
#pragma once

#include "core/problem.h"
#include "core/units.h"
#include "solution.h"

namespace espalier::bench {

// Whether each epoch and each switch adds a number to the loss whatever the loss is: `steps` rules
// everywhere, jumps that only add, and no plan that meets the rule's bound at 0 before the goal.
bool is_additive(const Problem& problem, Estimator estimator);

// Binary flow over epochs × placements; least energy subject to one row for time and one for loss.
// Stops after about `limit`. REQUIRES: is_additive(), and a start that has not reached the goal.
Solution solve_with_cbc(const Problem& problem, Estimator estimator, Seconds limit);

}  // namespace espalier::bench
