// SPDX-License-Identifier: Apache-2.0
// Which placements good plans are likely to use.
#pragma once

#include <set>

#include "core/problem.h"

namespace espalier {

// Those that lower the loss most cheaply, at several losses on the way to the goal and for several
// prices of time, around the average one.
std::set<PlacementId> efficient_placements(const Problem& problem, Estimator estimator, State now);

}  // namespace espalier
