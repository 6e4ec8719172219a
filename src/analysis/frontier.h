// SPDX-License-Identifier: Apache-2.0
// The whole trade-off at once: least energy for every deadline, or for every target loss.
#pragma once

#include <stop_token>
#include <vector>

#include "core/strategy.h"

namespace espalier {

enum class FrontierAxis { Deadline, Target };

struct FrontierPoint {
  double bound = 0;  // the tightest deadline (s) or target loss for which this plan is the answer
  Plan plan;
  double gap = 0;  // proved distance to the optimum; 0 if optimal
};

struct Frontier {
  FrontierAxis axis = FrontierAxis::Deadline;
  std::vector<FrontierPoint> points;  // bound ascending, energy descending
  bool complete = true;               // false if the search was stopped or thinned to a grid
};

// From the tightest reachable bound to where loosening it further saves nothing.
Frontier compute_frontier(const Problem& problem, FrontierAxis axis, const PlannerOptions& options,
                          std::stop_token stop);

}  // namespace espalier
