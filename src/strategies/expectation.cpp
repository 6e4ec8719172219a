// SPDX-License-Identifier: Apache-2.0
#include "strategies/expectation.h"

#include "strategies/described.h"
#include "strategies/exact.h"

namespace espalier {

const Strategy& expectation_strategy() {
  static const DescribedStrategy strategy(
      {.name = "expectation",
       .summary = "exact on expected values, blind to their spread",
       .description =
           "The cheapest plan if everything goes as expected, whatever estimate is asked for "
           "elsewhere. Where learning is noisy it reaches the goal only about half of the time.",
       .estimator = Estimator::Expected,
       .exact = true,
       .anytime = true},
      [](const Problem& problem, Estimator, const PlannerOptions& options) {
        return make_exact_planner(problem, Estimator::Expected, PlanShape::any(), options);
      });
  return strategy;
}

}  // namespace espalier
