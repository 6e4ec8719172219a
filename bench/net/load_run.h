// SPDX-License-Identifier: Apache-2.0
// A real run by the orchestrator's program, in a process of its own, and what it needs.
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>

#include "net/load.h"
#include "net/moment.h"

namespace espalier::bench {

struct LoadRun {
  Moment took;                    // all rounds, from the first look on: uploads, average, downloads
  std::int64_t memory = 0;        // most that the process ever had, with all its libraries
  std::int64_t memory_alone = 0;  // before the first node came
  int rounds = 0;                 // with the updates of all agents in the average
};

// `start_agents` is told the address, and returns the process that they are in. Throws Error where
// the program does not play along.
LoadRun carry_out(const Load& load, const std::filesystem::path& program,
                  const std::filesystem::path& certificates,
                  const std::function<pid_t(const std::string& address)>& start_agents);

}  // namespace espalier::bench
