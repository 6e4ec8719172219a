// SPDX-License-Identifier: Apache-2.0
// What is due: nodes that do not come, stragglers, and the end of all waiting.
#include <algorithm>

#include "orchestrator/run_step.h"
#include "orchestrator/run_timers.h"

namespace espalier {

void RunStep::on(const TimePassed&) {
  if (is_past_deadline()) {
    keep();
    finish(Ending::DeadlinePassed);
  } else if (gives_up_expecting()) {
    keep();
    for (auto& [name, node] : state_.nodes)
      if (node.presence == Presence::Expected) lose(node);
    go_on_without_nodes();
  } else if (is_past_cut_off()) {
    keep();
    if (state_.round.kind == RoundKind::Train && state_.round.half_in) mark_late();
    withdraw_unfinished();
    settle();
  } else if (!state_.end && state_.activity == Activity::Gathering &&
             state_.gather_until.value > 0 && state_.at >= state_.gather_until) {
    keep();
    state_.gather_until = {};
    try_to_begin();
  } else if (is_tired_of_waiting()) {
    keep();
    finish(why_nobody_works());
  } else if (is_on_the_clock(setup_, state_)) {
    keep();
  }
}

bool RunStep::gives_up_expecting() const {
  const bool expects = std::ranges::any_of(
      state_.nodes, [](const auto& node) { return node.second.presence == Presence::Expected; });
  const auto until = expecting_until(setup_, state_);
  return !state_.end && expects && until && state_.at >= *until;
}

bool RunStep::is_past_deadline() const {
  const auto until = deadline_of_waiting(setup_, state_);
  return !state_.end && until && state_.at >= *until;
}

bool RunStep::is_too_late_to_train() const {
  return setup_.accounting == Accounting::Measured &&
         standing(setup_, state_).time >= setup_.problem.goal().time_bound();
}

bool RunStep::is_past_cut_off() const {
  const auto until = cut_off(setup_, state_);
  return !state_.end && until && state_.at >= *until;
}

void RunStep::mark_late() {
  for (const auto& [name, result] : state_.round.members) {
    NodeRecord& node = state_.nodes.at(name);
    if (!result && node.presence != Presence::Lost) node.is_late = true;
  }
}

bool RunStep::is_tired_of_waiting() const {
  return !state_.end && state_.activity == Activity::Waiting &&
         state_.at >= *state_.waiting_since + setup_.patience.give_up;
}

bool RunStep::is_anybody_there() const {
  return std::ranges::any_of(
      state_.nodes, [](const auto& node) { return node.second.presence == Presence::Online; });
}

// Whoever is there of the node sets that are broken.
bool RunStep::have_all_diverged() const {
  bool is_somebody = false;
  for (const auto& [name, node] : state_.nodes) {
    if (node.presence != Presence::Online || !state_.broken.contains(node.nodes)) continue;
    if (!is_left_out(node) || !node.has_diverged) return false;
    is_somebody = true;
  }
  return is_somebody;
}

Ending RunStep::why_nobody_works() const {
  if (have_all_diverged()) return Ending::Diverged;
  const bool do_some_fail = is_anybody_there() && !state_.broken.empty();
  return do_some_fail ? Ending::NodesFail : Ending::NodesGone;
}

}  // namespace espalier
