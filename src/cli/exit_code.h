// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace espalier {

// What the program tells the one who started it. Errors end with the value of their ErrorCode.
enum class ExitCode {
  Done = 0,        // and the goal is reachable, or was reached
  GoalMissed = 3,  // the run, or every simulated run, ended without it
  BadInput = 4,
  Bug = 5,
  Infeasible = 6,  // proved: no plan reaches the goal
  Stopped = 7,     // by the user
};

}  // namespace espalier
