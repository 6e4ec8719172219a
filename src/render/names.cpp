// SPDX-License-Identifier: Apache-2.0
#include "render/names.h"

namespace espalier {

PlacementNames names_of(const Scenario& scenario, const Placement& placement) {
  const NodeSetSpec& nodes = scenario.node_sets[placement.nodes.pos()];
  PlacementNames names{scenario.models[placement.model.pos()].name, nodes.name, {}, {}};
  if (!nodes.data_options.empty()) names.data = nodes.data_options[placement.data.pos()].name;
  if (!nodes.levels.empty()) names.level = nodes.levels[placement.level.pos()].name;
  return names;
}

const char* name_of(Estimator estimator) {
  return estimator == Estimator::Expected ? "expected" : "robust";
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Optimal:
      return "optimal";
    case Verdict::Feasible:
      return "feasible";
    case Verdict::Infeasible:
      return "infeasible";
    case Verdict::Limit:
      return "limit";
  }
  return "limit";
}

}  // namespace espalier
