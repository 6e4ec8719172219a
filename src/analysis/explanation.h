// SPDX-License-Identifier: Apache-2.0
// Why each stage of a plan is there: what the next-best alternative would have cost.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "core/strategy.h"

namespace espalier {

// Another way to go on, and the energy of the whole plan with it.
struct OtherWay {
  PlacementId placement{};
  Joules energy{};
};

struct StageReason {
  Stage stage{};
  int first_epoch = 1;
  std::optional<OtherWay>
      instead;  // the cheapest plan that does something else at the stage's first epoch
  std::optional<Joules> never;  // the cheapest plan from here on that never uses this placement
};

// REQUIRES: result.plan reaches the goal.
std::vector<StageReason> explain(const Problem& problem, const PlanResult& result,
                                 const PlannerOptions& options, std::stop_token stop);

}  // namespace espalier
