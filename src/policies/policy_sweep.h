// SPDX-License-Identifier: Apache-2.0
// What the rest of a run costs from every state, if everything is done right.
#pragma once

#include <stop_token>
#include <vector>

#include "policies/policy_map.h"

namespace espalier {

// Values of beginning an epoch: time knot × target × loss knot.
using PolicyValues = std::vector<LuckValues>;

// Problem.    E[energy] + miss · P(miss), least over all ways to decide, for every placement, loss
//             and time, if the luck A of the run were known.
// Idea.       Backward in time. Beginning an epoch: its energy plus the mean value of where it
//             ends; nothing more at the goal, `miss` after the deadline. Standing at a site: the
//             best change, or `miss`: give up.
// Rounding.   None: what ends between knots is shared between them, linearly. Only the two steps
//             that matter most are kept sharp: the goal (landing at it is worth exactly 0) and the
//             last epoch that fits (not mixed with one that does not).
// Complexity. O(times · losses · (targets · row + sites · targets)), all lucks side by side.
// Stopped early, the values are useless.
PolicyValues sweep_policy(const PolicyMap& map, double miss, const std::stop_token& stop);

}  // namespace espalier
