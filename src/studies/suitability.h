// SPDX-License-Identifier: Apache-2.0
// What in a scenario a strategy cannot honour: said, and never ignored. The one place that knows.
#pragma once

#include <string>
#include <vector>

#include "core/scenario.h"
#include "core/strategy.h"

namespace espalier {

// Throws Error{BadInput} if the scenario asks for decisions that the strategy cannot take.
void refuse_unsuitable(const Scenario& scenario, const StrategyInfo& strategy);

// What to keep in mind about plans for this problem under this estimate.
std::vector<std::string> caveats(const Problem& problem, const StrategyInfo& strategy,
                                 Estimator estimator);

}  // namespace espalier
