// SPDX-License-Identifier: Apache-2.0
// The paper's StaticLearn for somebody who knows the traces.
#pragma once

#include <cstddef>
#include <stop_token>

#include "core/plan.h"
#include "replay/traced_world.h"

namespace espalier {

// The cheapest course that trains every model of a chain once, in order, each lowering the loss by
// the same amount, jumps excluded, within 5 %; where none is that even, within the next of some
// wider margins, and a note says so. Models that nothing can be trained with do not count.
// `problem` is TracedWorld::within(…). Feasible, Infeasible, or Limit if it was stopped.
PlanResult traced_even_course(const TracedWorld& world, const Problem& problem, std::size_t run,
                              std::stop_token stop = {});

}  // namespace espalier
