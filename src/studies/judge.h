// SPDX-License-Identifier: Apache-2.0
// No plan is shown that the independent checker has not passed.
#pragma once

#include <string>

#include "core/plan.h"
#include "core/scenario.h"

namespace espalier {

// Throws Error{Bug} if the plan, if there is one, is not what the scenario leads to.
void judge(const Scenario& scenario, const Problem& problem, const std::string& strategy,
           const PlanResult& result);

}  // namespace espalier
