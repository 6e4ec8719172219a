// SPDX-License-Identifier: Apache-2.0
// The prices of time and loss that bound an additive problem best.
#pragma once

#include <vector>

#include "search/linear_bound.h"

namespace espalier {

struct LinearPricing {
  // For labels of all kinds: at the best prices, around them, and for time alone.
  std::vector<LinearBound> bounds;
  double least_energy = 0;  // no plan in time ends with less; infinite if none reaches the loss
  double least_time = 0;    // no plan ends earlier; infinite if none reaches the loss
  std::vector<std::vector<PlacementId>> paths;  // met on the way: some may be good plans
};

// Problem.    The Lagrangian dual of a shortest path with two constraints, the deadline and the
//             target loss.
// Idea.       For a price of time, the best price of loss by secant steps between a way that
//             reaches the target and one that falls short; their mixture tells whether time is
//             too cheap, and secant steps between two mixtures give the price of time.
// Complexity. Some hundred shortest paths.
// Reference.  Handler and Zang (1980), for one constraint.
LinearPricing price_time_and_loss(const AdditiveGraph& graph, const State& now);

}  // namespace espalier
