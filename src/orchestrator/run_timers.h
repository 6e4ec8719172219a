// SPDX-License-Identifier: Apache-2.0
// Until when a run waits for what.
#pragma once

#include <optional>

#include "orchestrator/run_state.h"

namespace espalier {

// Until when nodes that did not come yet are waited for; nothing: for ever.
std::optional<Seconds> expecting_until(const RunSetup& setup, const RunState& state);

// Until when the others are waited for. REQUIRES: half of the members are in.
Seconds cut_off(const RunSetup& setup, const RunState& state, const Round& round);

// When something will be due, if nothing happens before.
std::optional<Seconds> next_timer(const RunSetup& setup, const RunState& state);

}  // namespace espalier
