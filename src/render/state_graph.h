// SPDX-License-Identifier: Apache-2.0
// Every state that a small problem can reach, epoch by epoch: for pictures and for teaching.
#pragma once

#include <optional>
#include <vector>

#include "core/plan.h"

namespace espalier {

struct StateGraphOptions {
  // Losses and times are rounded up to multiples of these; 0: not at all.
  Loss loss_step{0};
  Seconds time_step{0};
  // More states than this are too many to draw.
  std::size_t max_states = 400;
};

struct GraphState {
  State state{};  // its energy is the least with which it is reached
  bool goal = false;
  bool chosen = false;  // on the way of the plan
};

struct GraphArc {
  std::size_t from = 0;
  std::size_t to = 0;
  Joules energy{};
  bool chosen = false;
};

// States are merged if epoch, placement, loss and time are equal; those past the deadline are left
// out, and goal states have no way on.
struct StateGraph {
  std::vector<GraphState> states;  // by epoch
  std::vector<GraphArc> arcs;
};

// Nothing if there are too many states. `plan` is marked as chosen, as far as it goes.
std::optional<StateGraph> explore_if_small(const Problem& problem, Estimator estimator,
                                           const Plan* plan, const StateGraphOptions& options);

// The same; throws Error{BadInput} if there are too many.
StateGraph explore(const Problem& problem, Estimator estimator, const Plan* plan,
                   const StateGraphOptions& options);

}  // namespace espalier
