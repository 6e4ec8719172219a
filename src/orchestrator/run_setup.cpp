// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/run_setup.h"

#include <algorithm>

namespace espalier {
namespace {

NodeName name_of_member(const Scenario& scenario, const NodeDataSpec& data, int member) {
  if (!data.agents.empty()) return {data.agents[static_cast<std::size_t>(member)]};
  return {scenario.node_sets[data.nodes.pos()].name + "-" + std::to_string(member + 1)};
}

int members_of(const NodeDataSpec& data) {
  return data.agents.empty() ? data.members : static_cast<int>(data.agents.size());
}

}  // namespace

bool names_agents(const Scenario& scenario) {
  return std::ranges::any_of(scenario.training->nodes,
                             [](const NodeDataSpec& data) { return !data.agents.empty(); });
}

std::vector<ExpectedNode> expected_nodes(const Scenario& scenario) {
  std::vector<ExpectedNode> all;
  for (const NodeDataSpec& data : scenario.training->nodes) {
    const int members = members_of(data);
    for (int i = 0; i < members; ++i)
      all.push_back({name_of_member(scenario, data, i), data.nodes,
                     std::max<std::int64_t>(1, data.samples / members)});
  }
  std::ranges::sort(all, {}, &ExpectedNode::name);
  return all;
}

Problem without_growing(const Problem& problem, const Scenario& scenario) {
  return problem.only([&](const Placement& from, const Placement& to) {
    return scenario.models[to.model.pos()].prune >= scenario.models[from.model.pos()].prune;
  });
}

}  // namespace espalier
