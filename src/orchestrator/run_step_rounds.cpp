// SPDX-License-Identifier: Apache-2.0
// How a round begins: for whom it waits, and who gets which task.
#include <algorithm>

#include "orchestrator/plan_margin.h"
#include "orchestrator/round_tasks.h"
#include "orchestrator/run_step.h"

namespace espalier {

void RunStep::on(const NetworkMade& made) {
  if (state_.activity != Activity::Making) return;
  keep();
  state_.network = made.network;
  begin(RoundKind::FirstLook);
}

void RunStep::begin(RoundKind kind) {
  state_.next = kind;
  state_.activity = Activity::Gathering;
  state_.epoch.attempt = 0;
  state_.gather_until = {};
  try_to_begin();
}

NodeSetId RunStep::set_for(RoundKind kind) const {
  const NodeSetId here = setup_.problem.training(state_.now().placement).at.nodes;
  if (kind == RoundKind::FirstLook) return is_usable(state_, here) ? here : any_usable(here);
  // Who has the network compresses it, before it travels.
  if (kind == RoundKind::Compress && is_usable(state_, here)) return here;
  return setup_.problem.training(state_.plan->next->placement).at.nodes;
}

NodeSetId RunStep::any_usable(NodeSetId otherwise) const {
  for (const auto& [name, node] : state_.nodes)
    if (is_usable(state_, node.nodes)) return node.nodes;
  return otherwise;
}

bool RunStep::is_left_out(const NodeRecord& node) const {
  return node.left_out && *node.left_out == state_.epoch_number();
}

std::vector<NodeName> RunStep::awaited() const {
  std::vector<NodeName> names;
  if (state_.activity == Activity::Working) {
    for (const auto& [name, result] : state_.round.members)
      if (!result && state_.nodes.at(name).presence == Presence::Expected) names.push_back(name);
  }
  if (state_.activity != Activity::Gathering) return names;
  const bool waits_for_lost = state_.at < state_.gather_until;
  for (const auto& [name, node] : state_.nodes) {
    if (node.nodes != set_for(state_.next) || is_left_out(node)) continue;
    if (node.presence == Presence::Online) continue;
    if (node.presence != Presence::Lost || waits_for_lost) names.push_back(name);
  }
  return names;
}

void RunStep::try_to_begin() {
  const NodeSetId nodes = set_for(state_.next);
  std::vector<NodeName> ready;
  bool all_known = true;
  bool all_there = true;
  for (const auto& [name, node] : state_.nodes) {
    if (node.nodes != nodes || is_left_out(node)) continue;
    all_known &= node.presence == Presence::Online || node.presence == Presence::Lost;
    all_there &= node.presence == Presence::Online;
    if (node.presence == Presence::Online) ready.push_back(name);
  }
  if (!all_known) return;
  if (!all_there && !ready.empty() && state_.at < state_.gather_until) return;
  if (ready.empty()) return fail_set(nodes);
  if (state_.network.sha256.empty()) return make_network();
  start(nodes, ready);
}

void RunStep::make_network() {
  state_.activity = Activity::Making;
  const Hello& images = *state_.images;
  actions_.emplace_back(
      MakeNetwork{{images.channels, images.height, images.width}, images.classes});
}

std::vector<NodeName> RunStep::chosen_for_round(std::vector<NodeName> ready) const {
  if (state_.next != RoundKind::Compress) return ready;
  // The first of those that have the most; where one is late that may be half as much.
  return {*std::ranges::max_element(ready, {}, [&](const NodeName& name) {
    const NodeRecord& node = state_.nodes.at(name);
    return node.is_late ? node.samples / 2 : node.samples;
  })};
}

void RunStep::start(NodeSetId nodes, const std::vector<NodeName>& ready) {
  Round round;
  round.kind = state_.next;
  round.id = {setup_.run, state_.epoch_number(), static_cast<int>(state_.next),
              state_.first_attempt + state_.epoch.attempt};
  round.nodes = nodes;
  round.network = state_.epoch.network.sha256.empty() ? state_.network : state_.epoch.network;
  round.began = state_.at;
  for (const NodeName& name : chosen_for_round(ready)) round.members[name] = std::nullopt;
  round.selected = round.members.size();
  round.samples = samples_of(round);
  if (round.kind == RoundKind::Train)
    round.quorum = needed_share(margin_of(setup_, state_, round.kind, round.began));
  state_.round = std::move(round);
  state_.activity = Activity::Working;
  dispatch();
}

std::int64_t RunStep::samples_of(const Round& round) const {
  std::int64_t samples = 0;
  for (const auto& [name, result] : round.members) samples += state_.nodes.at(name).samples;
  return samples;
}

void RunStep::dispatch() {
  const Task task = task_of(setup_, state_, state_.round);
  for (const auto& [name, result] : state_.round.members) {
    if (!result) actions_.emplace_back(DispatchTask{name, task});
  }
}

}  // namespace espalier
