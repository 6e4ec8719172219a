// SPDX-License-Identifier: Apache-2.0
#include "analysis/explanation.h"

#include "strategies/exact.h"

namespace espalier {
namespace {

class Explainer {
 public:
  Explainer(const Problem& problem, const PlanResult& result, const PlannerOptions& options,
            std::stop_token stop)
      : problem_(problem), result_(result), options_(options), stop_(std::move(stop)) {}

  std::vector<StageReason> run() const {
    std::vector<StageReason> reasons;
    std::size_t done = 0;
    for (const Stage& stage : result_.plan->stages()) {
      if (stop_.stop_requested()) break;
      reasons.push_back(reason(stage, done));
      done += static_cast<std::size_t>(stage.epochs);
    }
    return reasons;
  }

 private:
  StageReason reason(const Stage& stage, std::size_t done) const {
    const State here = result_.plan->after(done);
    StageReason reason{.stage = stage, .first_epoch = here.epoch + 1, .instead = {}, .never = {}};
    const auto other =
        best(problem_, PlanShape::not_next_at(problem_.training(stage.placement).at), here);
    if (other) reason.instead = OtherWay{other->steps.front().placement, other->end().energy};
    const Problem without = problem_.without(stage.placement);
    if (const auto never = best(without, PlanShape::any(), here))
      reason.never = never->end().energy;
    return reason;
  }

  std::optional<Plan> best(const Problem& problem, const PlanShape& shape,
                           const State& here) const {
    auto planner = make_exact_planner(problem, result_.estimator, shape, options_);
    PlanResult found = planner->plan(here, stop_);
    if (!found.plan || found.plan->steps.empty()) return std::nullopt;
    return std::move(found.plan);
  }

  const Problem& problem_;
  const PlanResult& result_;
  const PlannerOptions& options_;
  const std::stop_token stop_;
};

}  // namespace

std::vector<StageReason> explain(const Problem& problem, const PlanResult& result,
                                 const PlannerOptions& options, std::stop_token stop) {
  return Explainer(problem, result, options, std::move(stop)).run();
}

}  // namespace espalier
