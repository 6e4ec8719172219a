// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/run_state.h"

#include <algorithm>

#include "core/error.h"
#include "orchestrator/round_tasks.h"
#include "orchestrator/run_step.h"

namespace espalier {

RunTransition RunStep::end() && {
  const bool waits_for_plan = state_.activity == Activity::Deciding && !state_.end;
  const std::size_t over = state_.epochs.size();
  state_.told = waits_for_plan ? std::min(state_.told, over) : over;
  return {std::move(state_), std::move(actions_)};
}

bool can_resume(Ending ending) {
  return ending == Ending::Stopped || ending == Ending::NodesGone || ending == Ending::NodesFail;
}

std::size_t best_epoch(const RunState& state) {
  const auto best = std::ranges::min_element(
      state.epochs, {}, [](const EpochRecord& epoch) { return epoch.step.loss.value; });
  return static_cast<std::size_t>(best - state.epochs.begin()) + 1;
}

bool is_best_so_far(const RunState& state) {
  return !state.epochs.empty() && best_epoch(state) == state.epochs.size();
}

RunState first_state(const RunSetup& setup) {
  RunState state;
  state.course.start = setup.problem.start();
  for (const ExpectedNode& node : setup.expected)
    state.nodes[node.name] = {.nodes = node.nodes, .samples = node.samples};
  return state;
}

State standing(const RunSetup& setup, const RunState& state) {
  State now = state.now();
  const Outlay& outlay = state.outlay;
  if (setup.accounting == Accounting::Modelled || !outlay.since) return now;
  now.time += outlay.until.value_or(state.at) - *outlay.since;
  now.energy += outlay.energy;
  return now;
}

namespace {

EnergySource weakest_source(const RunSetup& setup, const RunState& state, std::size_t epochs,
                            std::optional<EnergySource> weakest) {
  if (setup.accounting == Accounting::Modelled) return {Provenance::Modelled, "the scenario"};
  for (std::size_t i = 0; i < epochs; ++i) {
    const EnergySource own{state.epochs[i].provenance, state.epochs[i].source};
    weakest = weakest ? weaker(*weakest, own) : own;
  }
  return weakest.value_or(EnergySource{Provenance::Measured, "no node has told of any"});
}

}  // namespace

EnergySource energy_source_of(const RunSetup& setup, const RunState& state, std::size_t epochs) {
  return weakest_source(setup, state, epochs, std::nullopt);
}

EnergySource energy_source(const RunSetup& setup, const RunState& state) {
  return weakest_source(setup, state, state.epochs.size(),
                        state.outlay.since ? state.outlay.source : std::nullopt);
}

RunTransition on(const RunSetup& setup, RunState state, const RunEvent& event) {
  RunStep step(setup, std::move(state), event.at);
  std::visit([&](const auto& what) { step.on(what); }, event.what);
  return std::move(step).end();
}

RunState replayed(const RunSetup& setup, std::span<const RunEvent> past) {
  RunState state = first_state(setup);
  for (const RunEvent& event : past) {
    RunTransition next = on(setup, std::move(state), event);
    // Only what counts is written down.
    if (next.actions.empty())
      throw Error(ErrorCode::RunFailed, "the journal does not lead from its beginning to its end",
                  "was it changed, or written by another version of espalier?");
    state = std::move(next.state);
  }
  return state;
}

std::vector<NodeName> awaited(const RunSetup& setup, const RunState& state) {
  return state.end ? std::vector<NodeName>{} : RunStep(setup, state, state.at).awaited();
}

std::vector<RunAction> outstanding(const RunSetup& setup, const RunState& state) {
  if (state.end) return {FinishRun{}};
  std::vector<RunAction> actions;
  switch (state.activity) {
    case Activity::Making:
      actions.emplace_back(
          MakeNetwork{{state.images->channels, state.images->height, state.images->width},
                      state.images->classes});
      break;
    case Activity::Working: {
      const Task task = task_of(setup, state, state.round);
      for (const auto& [name, result] : state.round.members)
        if (!result) actions.emplace_back(DispatchTask{name, task});
      break;
    }
    case Activity::Combining:
      actions.emplace_back(CombineUpdates{state.round.kind, updates_of(state.round)});
      break;
    case Activity::Deciding:
      actions.emplace_back(AskStrategy{unusable_sets(setup, state)});
      break;
    case Activity::Gathering:
    case Activity::Waiting:
      break;
  }
  return actions;
}

Receipt receipt_for(const RunState& state, const NodeName& node, const TaskId& task) {
  const Round& round = state.round;
  if (task.run != round.id.run) return Receipt::Unselected;
  if (task != round.id) return Receipt::Late;
  const auto member = round.members.find(node);
  if (member != round.members.end() && member->second) return Receipt::Duplicate;
  if (state.end || state.activity != Activity::Working) return Receipt::Late;
  return member == round.members.end() ? Receipt::Unselected : Receipt::Accepted;
}

Loss mean_loss(const RunState& state, const Round& round) {
  double sum = 0;
  double samples = 0;
  for (const auto& [name, result] : round.members) {
    if (!result) continue;
    const auto weight = static_cast<double>(state.nodes.at(name).samples);
    sum += weight * result->loss.value;
    samples += weight;
  }
  return {samples > 0 ? sum / samples : 0};
}

bool is_usable(const RunState& state, NodeSetId nodes) {
  if (state.broken.contains(nodes)) return false;
  return std::ranges::any_of(state.nodes, [&](const auto& entry) {
    return entry.second.nodes == nodes && entry.second.presence != Presence::Lost;
  });
}

std::vector<NodeSetId> unusable_sets(const RunSetup& setup, const RunState& state) {
  std::vector<NodeSetId> sets;
  for (std::size_t i = 0; i < setup.scenario.node_sets.size(); ++i) {
    const NodeSetId nodes{static_cast<std::int32_t>(i)};
    if (!is_usable(state, nodes)) sets.push_back(nodes);
  }
  return sets;
}

std::vector<UpdateToCombine> updates_of(const Round& round) {
  std::vector<UpdateToCombine> updates;
  for (const auto& [node, result] : round.members) {
    if (result && result->update)
      updates.push_back({node, *result->update, static_cast<double>(result->samples)});
  }
  return updates;
}

}  // namespace espalier
