// SPDX-License-Identifier: Apache-2.0
// Until when a run waits for what.
#pragma once

#include <optional>

#include "orchestrator/run_state.h"

namespace espalier {

// Until when nodes that did not come yet are waited for; nothing: for ever.
std::optional<Seconds> expecting_until(const RunSetup& setup, const RunState& state);

// Until when members of the round that are not in are waited for; nothing: no round is under way,
// or some of them have yet to find an orchestrator that was away. When half of the samples are in,
// the others are stragglers, who get what time the plan has for the round, and never so much that
// the epoch would end too late; before, they may all hang, and have much longer.
std::optional<Seconds> cut_off(const RunSetup& setup, const RunState& state);

// When the deadline passes while the run only waits; nothing: it does not, or time is modelled.
std::optional<Seconds> deadline_of_waiting(const RunSetup& setup, const RunState& state);

// Whether the run's time counts by the clock, and goes on.
bool is_on_the_clock(const RunSetup& setup, const RunState& state);

// When something will be due, if nothing happens before.
std::optional<Seconds> next_timer(const RunSetup& setup, const RunState& state);

}  // namespace espalier
