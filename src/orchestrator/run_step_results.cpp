// SPDX-License-Identifier: Apache-2.0
// What comes of a round: results, and whether they are enough.
#include <algorithm>
#include <cmath>

#include "core/provenance.h"
#include "orchestrator/run_step.h"

namespace espalier {
namespace {

// Tells of some work, and how one knows.
bool tells_energy(const EnergyReading& energy) {
  const bool says_something = energy.energy.value > 0 || !energy.source.empty();
  return says_something && std::isfinite(energy.energy.value) && energy.energy.value >= 0;
}

}  // namespace

void RunStep::on(const ResultCame& came) {
  if (receipt_for(state_, came.node, came.result.task) != Receipt::Accepted) return;
  keep();
  // Work that does not count has been done all the same.
  pay(came.result.energy);
  if (!came.fault.empty() || came.result.end != TaskEnd::Finished) {
    ++state_.counts.bad_results;
    const bool has_diverged = came.result.end == TaskEnd::Divergent;
    if (has_diverged) ++state_.round.diverged;
    // What broke may work the next time; what is wrong with its data or its answers will not.
    const bool may_try_again = came.fault.empty() && came.result.end == TaskEnd::Failed;
    give_up_on(came.node, may_try_again);
    if (NodeRecord* node = find(came.node)) node->has_diverged = has_diverged;
  } else {
    state_.round.members[came.node] = came.result;
    if (state_.round.kind == RoundKind::Train) state_.nodes.at(came.node).is_late = false;
  }
  settle();
}

void RunStep::on(const ResultsDropped& dropped) {
  keep();
  ResultsDropped& all = state_.counts.dropped;
  all.duplicate += dropped.duplicate;
  all.late += dropped.late;
  all.unselected += dropped.unselected;
  pay(dropped.energy);
}

void RunStep::on(const RoundCombined& combined) {
  if (state_.activity != Activity::Combining) return;
  keep();
  std::vector<ObjectRef> done_with = updates_besides(combined.network);
  if (!state_.epoch.network.sha256.empty() && state_.epoch.network != combined.network)
    done_with.push_back(state_.epoch.network);
  state_.epoch.network = combined.network;
  const bool is_compressed = state_.round.kind == RoundKind::Compress;
  if (is_compressed && is_too_late_to_train()) return finish(Ending::DeadlinePassed);
  begin(is_compressed ? RoundKind::Train : RoundKind::Look);
  // After the tasks: nodes need not wait for a disk.
  if (!done_with.empty()) drop(std::move(done_with));
}

void RunStep::give_up_on(const NodeName& name, bool may_try_again) {
  state_.round.members.erase(name);
  NodeRecord* node = find(name);
  if (node != nullptr && !may_try_again) node->left_out = state_.epoch_number();
  actions_.emplace_back(WithdrawTask{name});
}

void RunStep::withdraw_unfinished_tasks() {
  if (state_.activity != Activity::Working) return;
  for (const auto& [name, result] : state_.round.members)
    if (!result) actions_.emplace_back(WithdrawTask{name});
}

void RunStep::withdraw_unfinished() {
  withdraw_unfinished_tasks();
  std::erase_if(state_.round.members, [](const auto& member) { return !member.second; });
}

void RunStep::pay(const EnergyReading& energy) {
  if (!tells_energy(energy)) return;
  Outlay& outlay = state_.outlay;
  const EnergySource source{energy.provenance, energy.source};
  outlay.energy += energy.energy;
  outlay.source = outlay.source ? weaker(*outlay.source, source) : source;
}

void RunStep::settle() {
  if (state_.activity != Activity::Working) return;
  Round& round = state_.round;
  const std::int64_t samples = samples_in(round);
  if (!round.first_in && samples > 0) round.first_in = state_.at;
  if (!round.half_in && samples > 0 && 2 * samples >= round.samples) round.half_in = state_.at;
  if (waits_for_somebody(round, samples)) return;
  withdraw_unfinished();
  const bool are_all_in = round.members.size() == round.selected;
  const bool is_last_attempt = state_.epoch.attempt + 1 >= setup_.patience.attempts;
  if (samples > 0 && (round.half_in || are_all_in || is_last_attempt)) return complete();
  repeat();
}

std::int64_t RunStep::samples_in(const Round& round) const {
  std::int64_t samples = 0;
  for (const auto& [name, result] : round.members)
    if (result) samples += state_.nodes.at(name).samples;
  return samples;
}

// Those who are lost may come back: worth waiting for where the goal needs what they have, and the
// others have done enough for the time not to be lost.
bool RunStep::waits_for_somebody(const Round& round, std::int64_t samples) const {
  const auto share = static_cast<double>(samples) / static_cast<double>(round.samples);
  const bool waits_for_lost =
      round.half_in && share < round.quorum && is_usable(state_, round.nodes);
  return std::ranges::any_of(round.members, [&](const auto& member) {
    const bool is_lost = state_.nodes.at(member.first).presence == Presence::Lost;
    return !member.second && (!is_lost || waits_for_lost);
  });
}

bool RunStep::is_somebody_left(NodeSetId nodes) const {
  return std::ranges::any_of(state_.nodes, [&](const auto& entry) {
    const NodeRecord& node = entry.second;
    return node.nodes == nodes && !is_left_out(node);
  });
}

void RunStep::repeat() {
  const Round& round = state_.round;
  if (round.diverged == round.selected && !is_somebody_left(round.nodes))
    return finish(Ending::Diverged);
  if (auto updates = updates_besides({}); !updates.empty()) drop(std::move(updates));
  if (round.kind != RoundKind::Look && is_too_late_to_train())
    return finish(Ending::DeadlinePassed);
  ++state_.counts.repeated_rounds;
  const int attempt = state_.epoch.attempt + 1;
  if (attempt >= setup_.patience.attempts) return fail_set(state_.round.nodes);
  state_.epoch.attempt = attempt;
  state_.next = state_.round.kind;
  state_.activity = Activity::Gathering;
  state_.gather_until = state_.at + setup_.patience.wait;
  try_to_begin();
}

void RunStep::fail_set(NodeSetId nodes) {
  state_.first_attempt += setup_.patience.attempts;
  if (is_usable(state_, nodes)) state_.broken.insert(nodes);
  if (state_.next == RoundKind::Look) return close_epoch(state_.epoch.training_loss, false);
  if (!state_.epoch.network.sha256.empty()) drop({state_.epoch.network});
  state_.epoch = {};
  decide();
}

std::vector<ObjectRef> RunStep::updates_besides(const ObjectRef& kept) const {
  std::vector<ObjectRef> objects;
  for (const UpdateToCombine& update : updates_of(state_.round))
    if (update.update != kept && update.update != state_.network) objects.push_back(update.update);
  return objects;
}

void RunStep::remember_usual() {
  if (!state_.round.half_in) return;
  Seconds& usual = state_.usual[state_.round.sort()];
  usual = std::max(usual, *state_.round.half_in - state_.round.began);
}

void RunStep::complete() {
  remember_usual();
  const Loss loss = mean_loss(state_, state_.round);
  switch (state_.round.kind) {
    case RoundKind::FirstLook:
      state_.course.start.loss = loss;
      state_.is_start_known = true;
      return state_.epochs.empty() ? judge() : decide();
    case RoundKind::Look:
      return close_epoch(loss, true);
    case RoundKind::Train:
      state_.epoch.training_loss = loss;
      state_.epoch.members = state_.round.members.size();
      state_.epoch.selected = state_.round.selected;
      break;
    case RoundKind::Compress:
      break;
  }
  state_.activity = Activity::Combining;
  actions_.emplace_back(CombineUpdates{state_.round.kind, updates_of(state_.round)});
}

}  // namespace espalier
