// SPDX-License-Identifier: Apache-2.0
#include "studies/suitability.h"

#include "core/error.h"
#include "core/problem.h"
#include "io/wording.h"
#include "realisations/truth.h"
#include "render/names.h"

namespace espalier {
namespace {

std::vector<std::string> option_names(const NodeSetSpec& nodes) {
  std::vector<std::string> names;
  for (const DataOptionSpec& option : nodes.data_options) names.push_back(option.name);
  return names;
}

}  // namespace

void refuse_unsuitable(const Scenario& scenario, const StrategyInfo& strategy) {
  if (strategy.chooses_data) return;
  for (const NodeSetSpec& nodes : scenario.node_sets) {
    if (nodes.data_options.size() >= 2) {
      const std::vector<std::string> names = option_names(nodes);
      throw Error(ErrorCode::BadInput,
                  "'" + strategy.name + "' cannot choose among data options (" + shown(nodes.name) +
                      " has " + listed(names) + ")",
                  "--strategy depl can; or keep one option per node set, e.g. --set 'data." +
                      shown(nodes.name) + "={" + shown(names.front()) + ": {}}'");
    }
    for (const DataOptionSpec& option : nodes.data_options) {
      if (option.once.value == 0) continue;
      throw Error(ErrorCode::BadInput,
                  "'" + strategy.name + "' cannot account for an energy that is paid once (data." +
                      shown(nodes.name) + "." + shown(option.name) + ".once)",
                  "leave it out and add it to the result yourself, e.g. --set data." +
                      shown(nodes.name) + "." + shown(option.name) + ".once=0");
    }
  }
}

std::vector<std::string> caveats(const Problem& problem, const StrategyInfo& strategy,
                                 Estimator estimator) {
  if (strategy.promises || !has_noise(problem)) return {};
  return {std::string("the scenario has noise: this plan holds for the ") + name_of(estimator) +
          " estimate only; 'simulate' tells how often it reaches the goal, and --strategy depl "
          "promises a probability"};
}

}  // namespace espalier
