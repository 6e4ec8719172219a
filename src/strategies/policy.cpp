// SPDX-License-Identifier: Apache-2.0
// Problem.    Whoever observes the loss after every epoch can do better than any fixed plan: stop
//             or go easy after luck, spend more after bad luck, give up what is hopeless.
// Idea.       A policy on a grid of losses, times and the run's luck (policy_planner.h). The fixed
//             plan of `depl` is a policy too: it chooses the data, stands in where a grid does not
//             apply (rules that depend on the epoch's number), and is kept where the grid, being a
//             grid, is no better.
// Invariant.  What is followed has kept its promise on realisations that had no part in choosing
// it.
#include "strategies/policy.h"

#include <utility>

#include "courses/data_choice.h"
#include "policies/policy_planner.h"
#include "realisations/truth.h"
#include "search/least_loss.h"
#include "strategies/depl.h"
#include "strategies/described.h"

namespace espalier {
namespace {

// Below this share of the energy the difference may be that of the runs they were judged on.
constexpr double kWorthIt = 0.005;

bool keeps_promise(const PlanResult& result) {
  return result.plan && result.verdict != Verdict::Infeasible && result.verdict != Verdict::Limit;
}

// Cheaper, or, where neither keeps the promise, likelier.
bool is_better(const PlanResult& policy, const PlanResult& fixed) {
  if (keeps_promise(policy) != keeps_promise(fixed)) return keeps_promise(policy);
  if (keeps_promise(policy)) return policy.cost().value < fixed.cost().value * (1 - kWorthIt);
  return policy.chance && (!fixed.chance || policy.chance->probability > fixed.chance->probability);
}

// The data that the plan uses; where it does not use a node set, none if that would cost something,
// or else the first option.
DataSelection selection_of(const Problem& problem, const PlanResult& result) {
  DataSelection data(problem.node_set_count(), DataOptionId{0});
  for (const Training& t : problem.placements()) {
    if (t.once_mark != 0) data[t.at.nodes.pos()] = std::nullopt;
  }
  if (!result.plan) return data;
  for (const Step& step : result.plan->steps) {
    const Placement& at = problem.training(step.placement).at;
    data[at.nodes.pos()] = at.data;
  }
  return data;
}

// What was decided once, for all planners of a problem.
struct Decision {
  std::optional<Problem> fixed;               // the problem with its data chosen
  std::shared_ptr<const FoundPolicy> policy;  // null: the fixed plan is followed
  PlanResult from_start;
};

class ClosedLoopPlanner final : public Planner {
 public:
  ClosedLoopPlanner(const Problem& problem, const PlannerOptions& options)
      : problem_(problem), options_(options), depl_(depl_strategy().planner(problem, options)) {}

  PlanResult plan(const State& now, std::stop_token stop) override {
    if (!decision_) {
      auto decision = decide(stop);
      // A decision that was cut short is not one to stand by.
      if (stop.stop_requested()) return decision->from_start;
      follow(std::move(decision));
    }
    if (!decision_->policy) return is_start(now) ? decision_->from_start : depl_->plan(now, stop);
    PlanResult result = follower_->plan(now, stop);
    if (is_start(now)) return decision_->from_start;
    if (result.plan) result.plan = with_own_costs(*result.plan);
    return result;
  }

  // Null where a fixed plan is followed.
  const FoundPolicy* found() const { return decision_ ? decision_->policy.get() : nullptr; }

  std::unique_ptr<Planner> fork() const override {
    auto copy = std::make_unique<ClosedLoopPlanner>(problem_, options_);
    if (!decision_) return copy;
    if (auto depl = depl_->fork()) copy->depl_ = std::move(depl);
    copy->follow(decision_);
    return copy;
  }

 private:
  std::shared_ptr<const Decision> decide(const std::stop_token& stop) const {
    auto decision = std::make_shared<Decision>();
    decision->from_start = depl_->plan(problem_.start(), stop);
    const bool has_grid = has_noise(problem_) && problem_.last_special_epoch() == 0;
    if (!has_grid || stop.stop_requested()) return decision;
    look_for_policy(*decision, stop);
    if (!goes_on(decision->from_start) && !stop.stop_requested())
      head_for_least_loss(*decision, stop);
    return decision;
  }

  bool goes_on(const PlanResult& result) const {
    const State& start = problem_.start();
    return problem_.goal().reached(start.loss, start.time) ||
           (result.plan && !result.plan->steps.empty());
  }

  // Hopeless is what is believed now: after another epoch it may look better.
  void head_for_least_loss(Decision& decision, const std::stop_token& stop) const {
    const SearchGraph graph(problem_, Estimator::Expected, PlanShape::any());
    const auto least = least_loss(graph, problem_.start(), options_.max_labels, stop);
    if (!least || least->path.empty()) return;
    decision.policy = nullptr;
    PlanResult& result = decision.from_start;
    result.verdict = Verdict::Infeasible;
    result.plan = ::espalier::follow(problem_, Estimator::Expected, problem_.start(), least->path);
    result.notes.emplace_back(
        "nothing gives the goal a chance: heading for the least loss by the deadline");
  }

  void look_for_policy(Decision& decision, const std::stop_token& stop) const {
    decision.fixed = has_data_choice(problem_)
                         ? problem_.with_data(selection_of(problem_, decision.from_start))
                         : problem_;
    PolicyPlanner planner(*decision.fixed, PolicySearchOptions{.resolution = {options_.loss_levels,
                                                                              options_.time_levels},
                                                               .runs = options_.judged_runs});
    PlanResult result = planner.plan(decision.fixed->start(), stop);
    if (!planner.found() || !is_better(result, decision.from_start)) return;
    decision.policy = planner.found();
    result.plan = with_own_costs(*result.plan);
    decision.from_start = std::move(result);
  }

  // On the problem itself, where data is paid for when it is used.
  Plan with_own_costs(const Plan& plan) const {
    std::vector<PlacementId> path;
    for (const Step& step : plan.steps) path.push_back(step.placement);
    return ::espalier::follow(problem_, Estimator::Expected, plan.start, path);
  }

  void follow(std::shared_ptr<const Decision> decision) {
    decision_ = std::move(decision);
    if (decision_->policy)
      follower_.emplace(*decision_->fixed, decision_->policy, options_.horizon);
  }

  bool is_start(const State& now) const {
    const State& start = problem_.start();
    return now.placement == start.placement && now.epoch == start.epoch && now.loss == start.loss &&
           now.time == start.time;
  }

  const Problem& problem_;
  const PlannerOptions options_;
  std::unique_ptr<Planner> depl_;
  std::shared_ptr<const Decision> decision_;
  std::optional<PolicyPlanner> follower_;  // of the decision's policy, if it has one
};

}  // namespace

std::optional<PolicyTable> exported_policy(const Planner& planner) {
  const auto* own = dynamic_cast<const ClosedLoopPlanner*>(&planner);
  const FoundPolicy* found = own ? own->found() : nullptr;
  return found ? std::optional(table_of(*found->policy)) : std::nullopt;
}

const Strategy& policy_strategy() {
  static const DescribedStrategy strategy(
      {.name = "policy",
       .summary = "the least mean energy for a promised probability, decided epoch by epoch",
       .description =
           "Not a fixed plan but a policy: what to do next from every placement, loss and time, "
           "and from what the run has shown of its luck. Reaches the goal with the goal's "
           "probability, judged on realisations that the search did not see. Gives up a run that "
           "would cost more than it is worth. The plan shown is what happens if every epoch goes "
           "as expected.",
       .estimator = Estimator::Expected,
       .promises = true,
       .remembers = true,
       .chooses_data = true},
      [](const Problem& problem, Estimator, const PlannerOptions& options) {
        return std::unique_ptr<Planner>(std::make_unique<ClosedLoopPlanner>(problem, options));
      });
  return strategy;
}

}  // namespace espalier
