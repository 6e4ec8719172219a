// SPDX-License-Identifier: Apache-2.0
// Checks shared by the tests of strategies.
#pragma once

#include "core/strategy.h"
#include "support/random_scenario.h"

namespace espalier::support {

// Every learning kind, noisy or not, on many random scenarios; `epochs` sets how hard they are for
// brute force.
struct OracleCounts {
  int optimal = 0;
  int infeasible = 0;
};

// Expects that `strategy` finds what brute force finds on `count` scenarios of each kind, and that
// the plan checker accepts every plan.
OracleCounts expect_equals_brute_force(const Strategy& strategy, int count, int epochs);

// Expects that the plan checker accepts the plan of `strategy`, if it has one that reaches the
// goal.
PlanResult expect_sound_plan(const Strategy& strategy, const Scenario& scenario,
                             const Problem& problem, const PlannerOptions& options = {});

}  // namespace espalier::support
