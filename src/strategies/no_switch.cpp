// SPDX-License-Identifier: Apache-2.0
#include "strategies/no_switch.h"

#include "strategies/described.h"
#include "strategies/switch_budget.h"

namespace espalier {

const Strategy& no_switch_strategy() {
  static const DescribedStrategy strategy(
      {.name = "no-switch",
       .summary = "one placement only: stay where the run starts",
       .description = "Trains the model it starts with on the nodes it starts on until the goal is "
                      "reached; levels change freely. Infeasible where that does not suffice.",
       .estimator = Estimator::Expected,
       .exact = true,
       .anytime = true},
      [](const Problem& problem, Estimator estimator, const PlannerOptions& options) {
        return make_switch_budget_planner(problem, estimator, 0, options);
      });
  return strategy;
}

}  // namespace espalier
