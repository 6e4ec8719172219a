// SPDX-License-Identifier: Apache-2.0
// What a change of placement is good for, as it was believed when it was decided.
#pragma once

#include <span>
#include <string>

#include "core/plan.h"

namespace espalier {

// "the goal costs 53.00 J from here; staying with M on silver would cost 200.0 J": on the way that
// a plan takes from `from`, and without a change.
std::string compared_with_staying(const Problem& problem, Estimator estimator, const State& from,
                                  std::span<const PlacementId> way);

}  // namespace espalier
