// SPDX-License-Identifier: Apache-2.0
// What nodes are asked to do in a round.
#pragma once

#include "orchestrator/run_state.h"

namespace espalier {

// The task of every member of the round. REQUIRES: a plan, unless it is the first look.
Task task_of(const RunSetup& setup, const RunState& state, const Round& round);

}  // namespace espalier
