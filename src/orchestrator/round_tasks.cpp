// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/round_tasks.h"

#include <algorithm>

namespace espalier {
namespace {

// Samples that tell the loss of a node set well enough, and of one node at least.
constexpr std::int64_t kGlanceOfSet = 2000;
constexpr std::int64_t kGlanceOfNode = 256;
// Weights and momentum, and what describes them.
constexpr std::uint64_t kHeaderRoom = 4U << 20U;

LearningSettings learning_of(const RunSetup& setup) {
  const TrainingSpec& training = setup.training();
  return {training.batch,    training.learning_rate, training.momentum, training.weight_decay,
          training.schedule, training.jitter,        setup.seed};
}

// A data option's multiplier of the time of an epoch is the share of the samples that it takes.
double share_of(const RunSetup& setup, const Placement& at) {
  const auto& options = setup.scenario.node_sets[at.nodes.pos()].data_options;
  return options.empty() ? 1 : std::clamp(options[at.data.pos()].time, 1e-6, 1.0);
}

PruneWork prune_work(const RunSetup& setup, const Placement& to) {
  const TrainingSpec& training = setup.training();
  return {training.network,   training.width,    setup.scenario.models[to.model.pos()].prune,
          training.criterion, training.round_to, setup.distil_epochs};
}

EvaluateWork look_work(const Round& round) {
  const auto members = static_cast<std::int64_t>(std::max<std::size_t>(1, round.selected));
  return {std::max(kGlanceOfNode, kGlanceOfSet / members)};
}

}  // namespace

Task task_of(const RunSetup& setup, const RunState& state, const Round& round) {
  Task task{round.id, round.network, learning_of(setup), look_work(round), 0};
  if (round.kind == RoundKind::Look || round.kind == RoundKind::FirstLook) return task;
  const Placement& to = setup.problem.training(state.plan->next->placement).at;
  task.update_limit = 2 * round.network.size + kHeaderRoom;
  if (round.kind == RoundKind::Compress)
    task.work = prune_work(setup, to);
  else
    task.work = TrainWork{setup.training().local_epochs, share_of(setup, to)};
  return task;
}

}  // namespace espalier
