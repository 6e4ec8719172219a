// SPDX-License-Identifier: Apache-2.0
// The strategy in the loop: asked after every epoch, with what is believed by then, about the node
// sets that are to be had.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/strategy.h"
#include "orchestrator/run_state.h"
#include "outlook/fitted_beliefs.h"

namespace espalier {

// A strategy, how it is to plan, and how beliefs are renewed on the way; nothing: they are not.
struct Advising {
  const Strategy& strategy;  // borrowed
  PlannerOptions planning{};
  std::shared_ptr<const FittedBeliefs> beliefs{};
};

// The course of a run that has spent as much by now: more than by the end of its last epoch.
Plan with_spent(Plan course, const Spent& spent);

// Owned by one thread.
class Adviser {
 public:
  // `setup` must outlive it.
  Adviser(const RunSetup& setup, Advising advising);

  // Every plan has passed the independent checker; Error{Bug} where one does not.
  PlanResult plan(const Plan& course, const std::vector<NodeSetId>& without, std::stop_token stop);

  // How likely what was planned from there reaches the goal, by the realisations of what is
  // believed; nothing where nothing is left to chance and no probability was asked for. A policy
  // knows more of its chance than its expected course tells.
  std::optional<Chance> prospect(const State& now, const PlanResult& result) const;

  // Brings a planner that remembers what it was asked, or stands by what it said, to where it was
  // when the run was interrupted.
  void recall(const RunState& state, const std::stop_token& stop);

 private:
  Problem believed(const Plan& course, const std::vector<NodeSetId>& without);
  void prepare(const Plan& course, const std::vector<NodeSetId>& without);
  void judge(const PlanResult& result) const;

  const RunSetup& setup_;
  Advising advising_;
  std::unique_ptr<Outlook> outlook_;
  // What the planner was made for.
  std::optional<Problem> problem_;
  std::vector<NodeSetId> without_;
  std::unique_ptr<Planner> planner_;
};

}  // namespace espalier
