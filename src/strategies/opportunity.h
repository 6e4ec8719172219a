// SPDX-License-Identifier: Apache-2.0
// How much PACT's opportunity factor can differ between paths.
#pragma once

#include "core/problem.h"

namespace espalier {

// The opportunity of a path is the ratio of its expected to its robust change of the loss, at least
// 1. A bound for every path from `now` (loss already on the grid) to the goal, on a graph of
// `estimator`; infinite where none is known.
double highest_opportunity(const Problem& problem, Estimator estimator, const State& now);

}  // namespace espalier
