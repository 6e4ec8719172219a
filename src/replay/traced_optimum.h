// SPDX-License-Identifier: Apache-2.0
// The least energy for somebody who knows the traces, and so what every course would lead to.
#pragma once

#include <cstddef>
#include <stop_token>

#include "core/plan.h"
#include "replay/traced_world.h"

namespace espalier {

// `problem` is TracedWorld::within(…). Optimal, or Infeasible: all courses are tried that may be
// worth it. Limit if it was stopped, or if there are levels to choose from, which it cannot.
PlanResult traced_optimum(const TracedWorld& world, const Problem& problem, std::size_t run,
                          std::stop_token stop = {});

}  // namespace espalier
