// SPDX-License-Identifier: Apache-2.0
// How much PACT's opportunity factor can differ between paths.
#pragma once

#include "core/problem.h"

namespace espalier {

// The opportunity of a path is the ratio of its summed expected to its summed robust loss change,
// at least 1.
struct OpportunityRange {
  double low = 1;
  double high = 1;  // infinite where no bound is known
};

// Bounds for every path from `now` (loss already on the grid) to the goal, on a graph of robust
// estimates.
OpportunityRange opportunity_range(const Problem& problem, const State& now);

}  // namespace espalier
