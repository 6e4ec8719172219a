// SPDX-License-Identifier: Apache-2.0
// One planner over many states of a run, against planners that have never planned before.
#pragma once

#include <cstdint>

namespace espalier::support {

struct ReplanCounts {
  int optimal = 0;
  int infeasible = 0;
  int long_plans = 0;
};

// Random problems with plans of about a hundred epochs and more. Runs come out better and worse
// than planned in loss, time and energy; at each state `exact` must say what a fresh planner says,
// and what one says that uses other bounds.
ReplanCounts expect_replans_like_fresh_planners(std::uint64_t first_seed, int seeds);

}  // namespace espalier::support
