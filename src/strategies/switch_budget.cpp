// SPDX-License-Identifier: Apache-2.0
#include "strategies/switch_budget.h"

#include <algorithm>
#include <vector>

#include "strategies/exact.h"

namespace espalier {
namespace {

class SwitchBudgetPlanner final : public Planner {
 public:
  SwitchBudgetPlanner(const Problem& problem, Estimator estimator, int switches,
                      const PlannerOptions& options)
      : problem_(problem),
        estimator_(estimator),
        options_(options),
        left_(switches),
        planners_(static_cast<std::size_t>(switches) + 1) {}

  PlanResult plan(const State& now, std::stop_token stop) override {
    if (before_ && before_->epoch <= now.epoch)
      left_ -= was_switch(before_->placement, now.placement);
    before_ = now;
    auto& planner = planners_[static_cast<std::size_t>(std::max(left_, 0))];
    if (!planner) {
      planner = make_exact_planner(problem_, estimator_,
                                   PlanShape::at_most_switches(std::max(left_, 0)), options_);
    }
    return planner->plan(now, std::move(stop));
  }

 private:
  int was_switch(PlacementId from, PlacementId to) const {
    const Placement& a = problem_.training(from).at;
    const Placement& b = problem_.training(to).at;
    return a.model != b.model || a.nodes != b.nodes ? 1 : 0;
  }

  const Problem& problem_;
  const Estimator estimator_;
  const PlannerOptions options_;
  int left_;
  std::optional<State> before_;
  std::vector<std::unique_ptr<Planner>> planners_;  // by switches left
};

}  // namespace

std::unique_ptr<Planner> make_switch_budget_planner(const Problem& problem, Estimator estimator,
                                                    int switches, const PlannerOptions& options) {
  return std::make_unique<SwitchBudgetPlanner>(problem, estimator, switches, options);
}

}  // namespace espalier
