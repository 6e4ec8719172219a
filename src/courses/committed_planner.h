// SPDX-License-Identifier: Apache-2.0
// A planner that decides once and stands by it.
#pragma once

#include <optional>

#include "core/strategy.h"

namespace espalier {

// What such a strategy promises holds for its plan followed to the end, so that is what it says
// again after every epoch, whatever was observed. A state that the plan does not lead to (another
// placement, or a time that is more than a little off) is a new beginning.
class CommittedPlanner : public Planner {
 public:
  PlanResult plan(const State& now, std::stop_token stop) final;

 protected:
  // `problem` must outlive this.
  explicit CommittedPlanner(const Problem& problem) : problem_(problem) {}

  virtual PlanResult decide(const State& now, const std::stop_token& stop) = 0;
  const Problem& problem() const { return problem_; }

 private:
  // How many epochs of the plan have been followed, if this is where it leads.
  std::optional<std::size_t> progress(const State& now) const;
  PlanResult rest_from(const State& now, std::size_t done) const;

  const Problem& problem_;
  std::optional<PlanResult> decided_;
};

}  // namespace espalier
