// SPDX-License-Identifier: Apache-2.0
// What the other strategies would have done, and why they lost.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/strategy.h"

namespace espalier {

// How another strategy's answer compares with the chosen plan.
enum class Standing { Dearer, Same, Cheaper, Unreachable, GaveUp, OutOfTime, Reaches };

// Where the other plan spends most more than the chosen one.
struct ExtraSpending {
  PlacementId placement{};
  Joules theirs{};
  Joules ours{};
};

struct Alternative {
  std::string strategy;
  PlanResult result;
  Standing standing = Standing::Dearer;
  std::optional<ExtraSpending> extra;  // where it is dearer
};

// Runs every other quick strategy on the same problem under the same estimate; once stopped, those
// that are left are out of time.
std::vector<Alternative> alternatives_to(const Problem& problem, const StrategyInfo& chosen,
                                         const PlanResult& result, const PlannerOptions& options,
                                         std::stop_token stop);

}  // namespace espalier
