// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/problem.h"
#include "core/scenario.h"

namespace espalier {

// The scenario that says of learning and of jumps what `problem` believes where it starts, for a
// checker that reads scenarios. REQUIRES: `problem` is of this scenario.
Scenario believed_scenario(Scenario scenario, const Problem& problem);

}  // namespace espalier
