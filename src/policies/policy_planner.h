// SPDX-License-Identifier: Apache-2.0
// Follows a policy on a grid: what to do next, from what has been seen so far.
#pragma once

#include <memory>
#include <optional>

#include "core/strategy.h"
#include "policies/policy_search.h"

namespace espalier {

// Problem.    Least mean energy such that the goal is reached with its probability, knowing that
//             the loss is observed after every epoch.
// Idea.       A policy on a grid (policy_sweep.h), found once for the start of the problem
//             (policy_search.h); later calls look it up, with what the epochs so far have shown of
//             the run's luck (run_belief.h).
// Owned by one thread; the policy is found on all cores.
class PolicyPlanner final : public Planner {
 public:
  // REQUIRES: check_suits_policy(problem) does not throw; the problem outlives this.
  PolicyPlanner(const Problem& problem, const PolicySearchOptions& options)
      : problem_(problem), options_(options) {}
  // A policy that was found before, to save finding it again.
  PolicyPlanner(const Problem& problem, std::shared_ptr<const FoundPolicy> found,
                Horizon horizon = Horizon::NextEpoch)
      : problem_(problem), horizon_(horizon), found_(std::move(found)) {}

  // From the problem's start: what the policy does if every epoch goes as expected, and the chance
  // of the policy. From any other state: the same, as far as the horizon; no plan if the policy
  // gives up. To the end also with the chance that is left, by what the run has shown of its luck.
  // A state one epoch after that of the last call continues its run, and the belief with it; so
  // does the same one, asked about again. Any other one is a run that nothing is known of.
  PlanResult plan(const State& now, std::stop_token stop) override;

  // Null before the first plan.
  const std::shared_ptr<const FoundPolicy>& found() const { return found_; }

 private:
  bool is_start(const State& now) const;
  bool continues_run(const State& now) const;
  bool is_asked_again(const State& now) const;
  PlanResult plan_from_start();
  PlanResult plan_from(const State& now, const std::stop_token& stop) const;
  // What the policy does from `now` if every epoch goes as expected, for so many epochs.
  Plan expected_course(State now, std::size_t epochs) const;
  // Of a course to the end.
  void judge_end(PlanResult& result) const;

  const Problem& problem_;
  PolicySearchOptions options_;
  Horizon horizon_ = Horizon::NextEpoch;
  std::shared_ptr<const FoundPolicy> found_;
  std::optional<PlanResult> from_start_;
  std::optional<State> last_;
  RunBelief belief_;
};

// Throws Error{BadInput} if a policy on a grid does not suit the problem.
void check_suits_policy(const Problem& problem);

}  // namespace espalier
