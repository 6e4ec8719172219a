// SPDX-License-Identifier: Apache-2.0
// What the other strategies would have done, and why they lost.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/strategy.h"

namespace espalier {

struct Alternative {
  std::string strategy;
  PlanResult result;
  std::string reason;  // one sentence: why it lost, or that it found the same plan
};

// Runs every other quick strategy on the same problem under the same estimate.
std::vector<Alternative> alternatives_to(const Problem& problem, const StrategyInfo& chosen, const PlanResult& result,
                                         const PlannerOptions& options, std::stop_token stop);

}  // namespace espalier
