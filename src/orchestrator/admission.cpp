// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/admission.h"

#include <algorithm>

#include <fmt/format.h>

namespace espalier {
namespace {

std::optional<NodeSetId> set_named(const Scenario& scenario, const std::string& name) {
  for (std::size_t i = 0; i < scenario.node_sets.size(); ++i)
    if (scenario.node_sets[i].name == name) return NodeSetId{static_cast<std::int32_t>(i)};
  return std::nullopt;
}

bool has_same_images(const Hello& a, const Hello& b) {
  return a.classes == b.classes && a.channels == b.channels && a.height == b.height &&
         a.width == b.width;
}

// What a node says of itself decides how much its updates weigh.
constexpr std::int64_t kMostTimesAsMany = 10;

std::int64_t samples_of(const Scenario& scenario, NodeSetId nodes) {
  std::int64_t samples = 0;
  for (const NodeDataSpec& data : scenario.training->nodes)
    if (data.nodes == nodes) samples += data.samples;
  return samples;
}

std::string too_many(const RunSetup& setup, const Hello& hello, NodeSetId nodes) {
  const std::int64_t set = samples_of(setup.scenario, nodes);
  if (hello.samples <= kMostTimesAsMany * std::max<std::int64_t>(1, set)) return {};
  return fmt::format("it says that it has {} samples, and all of its node set have {}",
                     hello.samples, set);
}

}  // namespace

Roster roster_of(const RunState& state) {
  Roster roster{{}, state.images};
  for (const auto& [name, node] : state.nodes) roster.nodes.emplace(name, node.nodes);
  return roster;
}

Admission admit(const RunSetup& setup, const Roster& roster, const NodeName& node,
                const Hello& hello) {
  if (hello.samples < 1) return {"it has no samples", {}};
  if (hello.classes < 2 || hello.channels < 1 || hello.height < 1 || hello.width < 1)
    return {"it does not tell what its images are like", {}};
  if (roster.images && !has_same_images(*roster.images, hello))
    return {"its images are not like those of the others", {}};
  const auto known = roster.nodes.find(node);
  const auto wanted = set_named(setup.scenario, hello.nodes);
  if (!hello.nodes.empty() && !wanted) return {"there is no node set '" + hello.nodes + "'", {}};
  if (known != roster.nodes.end()) {
    if (wanted && *wanted != known->second) return {"it belongs to another node set", {}};
    return {too_many(setup, hello, known->second), known->second};
  }
  if (!setup.may_join) return {"nobody of that name is expected", {}};
  if (!wanted) return {"it does not say to which node set it belongs", {}};
  return {too_many(setup, hello, *wanted), *wanted};
}

}  // namespace espalier
