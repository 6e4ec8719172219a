// SPDX-License-Identifier: Apache-2.0
// Events ⇄ JSON: what the journal keeps, and what people can read of it.
#pragma once

#include <string>
#include <string_view>

#include "orchestrator/run_event.h"

namespace espalier {

// "node-came".
std::string_view kind_of(const RunHappening& what);

// One line. Numbers survive the round trip to the last digit.
std::string event_text(const RunEvent& event);

// Throws Error{BadInput} that begins with `source` for anything but what event_text writes.
RunEvent parse_event(std::string_view text, const std::string& source);

}  // namespace espalier
