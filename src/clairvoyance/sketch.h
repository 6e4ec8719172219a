// SPDX-License-Identifier: Apache-2.0
// A plan to begin with, for somebody who knows the luck.
#pragma once

#include <optional>

#include "clairvoyance/cost_weights.h"
#include "clairvoyance/foresight.h"
#include "clairvoyance/incumbent.h"

namespace espalier {

// Looks for a plan of the least weighted sum of energy and time, in time or not, without bounds or
// proof: labels forward, of which at each epoch and placement a few stay, evenly from the cheapest
// to the one with the least loss. Offers what it finds. Returns where the cheapest ends; nothing if
// none reaches the goal's loss.
std::optional<State> sketch_plan(Foresight& foresight, const CostWeights& weights,
                                 Incumbent& incumbent);

}  // namespace espalier
