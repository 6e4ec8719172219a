// SPDX-License-Identifier: Apache-2.0
#include "io/change_graph.h"

#include <algorithm>

namespace espalier {
namespace {

// A table of all pairs, where each thing allows itself.
std::vector<bool> table(std::size_t size, bool otherwise) {
  std::vector<bool> pairs(size * size, otherwise);
  for (std::size_t i = 0; i < size; ++i) pairs[i * size + i] = true;
  return pairs;
}

}  // namespace

ChangeGraph::ChangeGraph(const Scenario& scenario)
    : scenario_(scenario),
      models_(table(scenario.models.size(), false)),
      nodes_(table(scenario.node_sets.size(), !scenario.node_changes)) {
  for (const ModelChangeSpec& row : scenario.model_changes) {
    models_[row.from.pos() * scenario.models.size() + row.to.pos()] = true;
  }
  for (const NodeChangeSpec& row : scenario.node_changes.value_or(std::vector<NodeChangeSpec>{})) {
    nodes_[row.from.pos() * scenario.node_sets.size() + row.to.pos()] = true;
  }
  for (const PairChangeSpec& row : scenario.pair_changes) {
    pairs_.insert(Pair{{row.from_model, row.from_nodes}, {row.to_model, row.to_nodes}});
  }
}

bool ChangeGraph::has_switch(ModelId from, ModelId to) const {
  return models_[from.pos() * scenario_.models.size() + to.pos()] ||
         std::any_of(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
           return pair.from.model == from && pair.to.model == to;
         });
}

std::vector<bool> ChangeGraph::reachable_runs() const {
  std::vector<bool> reached(scenario_.runs.size(), false);
  std::vector<Place> open{{scenario_.start.model, scenario_.start.nodes}};
  while (!open.empty()) {
    const Place from = open.back();
    open.pop_back();
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const Place to{scenario_.runs[i].model, scenario_.runs[i].nodes};
      if (reached[i] || !allows(from, to)) continue;
      reached[i] = true;
      open.push_back(to);
    }
  }
  return reached;
}

bool ChangeGraph::allows(const Place& from, const Place& to) const {
  const bool by_parts = models_[from.model.pos() * scenario_.models.size() + to.model.pos()] &&
                        nodes_[from.nodes.pos() * scenario_.node_sets.size() + to.nodes.pos()];
  return by_parts || pairs_.contains(Pair{from, to});
}

}  // namespace espalier
