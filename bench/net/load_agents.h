// SPDX-License-Identifier: Apache-2.0
// Nodes with real connections that only pretend to train, all in one process.
#pragma once

#include <string>

#include "net/load.h"

namespace espalier::bench {

// From their enrolment to their dismissal. Whether all went well: each round's average is looked at
// by one of them.
bool run_agents(const Load& load, const std::string& address);

}  // namespace espalier::bench
