// SPDX-License-Identifier: Apache-2.0
// Every sequence of placements that fits the deadline and costs less than the best so far: the
// judge of the reference solvers on tiny cases.
#pragma once

#include "core/problem.h"
#include "solution.h"

namespace espalier::bench {

// Exponential in the number of epochs. REQUIRES: every epoch takes time.
Solution enumerate_plans(const Problem& problem, Estimator estimator);

}  // namespace espalier::bench
