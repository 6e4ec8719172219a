// SPDX-License-Identifier: Apache-2.0
// Who is let in.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "orchestrator/run_state.h"

namespace espalier {

// Who is known by name, and what their images are like.
struct Roster {
  std::map<NodeName, NodeSetId> nodes;
  std::optional<Hello> images;
};
Roster roster_of(const RunState& state);

// Why a node cannot be let in, as a sentence; empty if it can. And its node set.
struct Admission {
  std::string refusal;
  NodeSetId nodes{};
};
Admission admit(const RunSetup& setup, const Roster& roster, const NodeName& node,
                const Hello& hello);

}  // namespace espalier
