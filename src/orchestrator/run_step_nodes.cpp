// SPDX-License-Identifier: Apache-2.0
// Nodes come and go.
#include <algorithm>
#include <utility>

#include "orchestrator/run_step.h"

namespace espalier {

void RunStep::on(const RunBegan& began) {
  keep();
  if (began.agreed && began.agreed->next) {
    state_.plan = began.agreed;
    state_.known = {*began.agreed, 0};
    state_.promised = began.agreed->stages.back();
  }
  expect_nodes();
}

void RunStep::on(const RunResumed&) {
  keep();
  if (state_.end && can_resume(*state_.end)) {
    state_.end.reset();
    state_.outlay.until.reset();
    // People may have mended what was wrong with them.
    for (auto& [name, node] : state_.nodes) node.left_out.reset();
  }
  for (auto& [name, node] : state_.nodes) node.presence = Presence::Expected;
  state_.broken.clear();
  expect_nodes();
  state_.gather_until = {};
  if (!state_.end && state_.activity == Activity::Waiting) decide();
}

void RunStep::on(const NodeCame& came) {
  keep();
  if (!state_.images) state_.images = came.hello;
  NodeRecord& node = state_.nodes[came.node];
  if (node.presence == Presence::Expected) {
    begin_round_anew_for(came.node);
    state_.expecting_since = state_.at;
    state_.has_anybody_come = true;
  }
  node.nodes = came.nodes;
  node.samples = came.hello.samples;
  node.hello = came.hello;
  node.presence = Presence::Online;
  state_.broken.erase(came.nodes);
  go_on_with_nodes();
}

void RunStep::on(const NodeHeard& heard) {
  NodeRecord* node = find(heard.node);
  if (node == nullptr || node->presence == Presence::Online) return;
  keep();
  if (node->presence == Presence::Lost) state_.broken.erase(node->nodes);
  node->presence = Presence::Online;
  go_on_with_nodes();
}

void RunStep::on(const NodeSilent& silent) {
  NodeRecord* node = find(silent.node);
  if (node == nullptr || node->presence != Presence::Online) return;
  keep();
  node->presence = Presence::Silent;
}

void RunStep::on(const NodeGone& gone) {
  NodeRecord* node = find(gone.node);
  if (node == nullptr || node->presence == Presence::Lost) return;
  keep();
  lose(*node);
  go_on_without_nodes();
}

// Whose orchestrator was away gets the time that it took to find it again.
void RunStep::begin_round_anew_for(const NodeName& name) {
  Round& round = state_.round;
  const auto member = round.members.find(name);
  const bool is_at_it = state_.activity == Activity::Working && member != round.members.end();
  if (!is_at_it || member->second) return;
  remember_usual();
  round.began = state_.at;
  if (round.first_in) round.first_in = state_.at;
  if (round.half_in) round.half_in = state_.at;
}

NodeRecord* RunStep::find(const NodeName& name) {
  const auto found = state_.nodes.find(name);
  return found == state_.nodes.end() ? nullptr : &found->second;
}

void RunStep::expect_nodes() {
  state_.expecting_since = state_.at;
  state_.has_anybody_come = false;
}

void RunStep::lose(NodeRecord& node) {
  node.presence = Presence::Lost;
  if (!std::exchange(node.was_lost, true)) ++state_.counts.nodes_lost;
}

void RunStep::go_on_with_nodes() {
  if (state_.end) return;
  if (state_.activity == Activity::Gathering) try_to_begin();
  if (state_.activity == Activity::Waiting) decide();
}

void RunStep::go_on_without_nodes() {
  if (state_.end) return;
  if (state_.activity == Activity::Gathering) try_to_begin();
  if (state_.activity == Activity::Working) settle();
}

}  // namespace espalier
