// SPDX-License-Identifier: Apache-2.0
// The best plan known for a realisation.
#pragma once

#include <optional>
#include <vector>

#include "core/plan.h"
#include "realisations/truth.h"

namespace espalier {

// The cheapest plan so far that reaches the goal when replayed in the realisation. Owned by one
// thread.
class Incumbent {
 public:
  // Plans count only if they cost less than `cut`. The truth must outlive this.
  Incumbent(const Truth& truth, double cut) : truth_(&truth), energy_(cut) {}

  // Replays the path; one that falls short goes on for a while as it ended. Returns where
  // that led.
  State offer(const std::vector<PlacementId>& path);

  // Of the plan; without one, the cut.
  double energy() const { return energy_; }
  const std::optional<Plan>& plan() const { return plan_; }

 private:
  const Truth* truth_;
  double energy_;
  std::optional<Plan> plan_;
};

}  // namespace espalier
