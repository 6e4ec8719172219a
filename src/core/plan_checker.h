// SPDX-License-Identifier: Apache-2.0
// The independent judge: replays a plan from the scenario alone, with its own arithmetic.
#pragma once

#include <string>
#include <vector>

#include "core/plan.h"
#include "core/scenario.h"

namespace espalier {

// Everything that is wrong with `plan`, as sentences; empty if it is sound. A sound plan only uses
// runs and changes that the scenario lists, its times, energies and losses are what they lead to
// under the estimate, it never lets the loss rise above the problem's ceiling, it ends at the first
// epoch that reaches the goal, by the deadline. `problem` is used to translate placements back into
// the names of the scenario, and for nothing else. With `Goal::NotNeeded` a plan that falls short
// of the goal is sound too, if all the rest holds.
enum class GoalDemand { Needed, NotNeeded };
std::vector<std::string> check_plan(const Scenario& scenario, const Problem& problem,
                                    const PlanResult& result,
                                    GoalDemand demand = GoalDemand::Needed);

}  // namespace espalier
