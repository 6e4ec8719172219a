// SPDX-License-Identifier: Apache-2.0
#include "clairvoyance/incumbent.h"

#include <algorithm>

namespace espalier {
namespace {

// Where rules were relaxed, a plan may fall short of the goal by a few epochs.
constexpr std::size_t kFurtherEpochs = 50;

}  // namespace

State Incumbent::offer(const std::vector<PlacementId>& path) {
  const Goal& goal = truth_->problem().goal();
  Plan plan{truth_->problem().start(), {}};
  State now = plan.start;
  const std::size_t most = path.empty() ? 0 : path.size() + kFurtherEpochs;
  for (std::size_t i = 0; i < most && !goal.reached(now.loss, now.time); ++i) {
    if (i >= path.size() && now.time > goal.time_bound()) break;
    const auto next = truth_->advance(now, path[std::min(i, path.size() - 1)]);
    if (!next) break;
    now = *next;
    plan.steps.push_back({now.placement, now.loss, now.time, now.energy, now.paid});
  }
  if (goal.reached(now.loss, now.time) && now.energy.value < energy_) {
    energy_ = now.energy.value;
    plan_ = std::move(plan);
  }
  return now;
}

}  // namespace espalier
