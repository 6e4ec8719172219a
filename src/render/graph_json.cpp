// SPDX-License-Identifier: Apache-2.0
#include "render/graph_drawing.h"
#include "render/json.h"
#include "render/names.h"

namespace espalier {
namespace {

Json graph_state_json(const Planned& planned, const GraphState& node) {
  const auto names = names_of(planned.scenario, planned.problem.training(node.state.placement).at);
  return {{"epoch", node.state.epoch},
          {"model", names.model},
          {"nodes", names.nodes},
          {"loss", node.state.loss.value},
          {"time", node.state.time.value},
          {"energy", node.state.energy.value},
          {"goal", node.goal},
          {"chosen", node.chosen}};
}

}  // namespace

std::string graph_document(const Planned& planned, const std::optional<StateGraph>& graph) {
  Json data{{"complete", graph.has_value()}, {"states", Json::array()}, {"arcs", Json::array()}};
  if (!graph) return ok_document(std::move(data));
  for (const GraphState& node : graph->states)
    data["states"].push_back(graph_state_json(planned, node));
  for (const GraphArc& arc : graph->arcs) {
    data["arcs"].push_back(
        {{"from", arc.from}, {"to", arc.to}, {"energy", arc.energy.value}, {"chosen", arc.chosen}});
  }
  return ok_document(std::move(data));
}

}  // namespace espalier
