// SPDX-License-Identifier: Apache-2.0
// Pictures of all states of a small problem, the plan among them.
#pragma once

#include <string>

#include "render/plan_report.h"
#include "render/state_graph.h"

namespace espalier {

// Epochs from left to right, losses from top to bottom.
std::string graph_svg(const Planned& planned, const StateGraph& graph);
std::string graph_dot(const Planned& planned, const StateGraph& graph);

// For machines: {"complete":true,"states":[…],"arcs":[…]}; arcs name states by position. No graph:
// there are too many states.
std::string graph_document(const Planned& planned, const std::optional<StateGraph>& graph);

}  // namespace espalier
