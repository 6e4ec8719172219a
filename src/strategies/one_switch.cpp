// SPDX-License-Identifier: Apache-2.0
#include "strategies/one_switch.h"

#include "strategies/described.h"
#include "strategies/switch_budget.h"

namespace espalier {

const Strategy& one_switch_strategy() {
  static const DescribedStrategy strategy(
      {.name = "one-switch",
       .summary = "the cheapest plan with at most one switch",
       .description = "What most published work does: train, compress once, train on. A switch is "
                      "a change of model or node set, the first epoch compared with the start; "
                      "levels change freely. At its best: proved cheapest of its kind.",
       .estimator = Estimator::Expected,
       .exact = true,
       .anytime = true,
       .remembers = true},
      [](const Problem& problem, Estimator estimator, const PlannerOptions& options) {
        return make_switch_budget_planner(problem, estimator, 1, options);
      });
  return strategy;
}

}  // namespace espalier
