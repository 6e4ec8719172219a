// SPDX-License-Identifier: Apache-2.0
// What the orchestrator asks of a node, and what the node answers. No code, no type names, no
// paths.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/meter.h"
#include "core/units.h"
#include "core/workload.h"
#include "wire/names.h"

namespace espalier {

// One round of one epoch. A round that has to be repeated is another attempt; a result counts once.
struct TaskId {
  std::string run;  // a wire name
  int epoch = 0;    // 0, 1, … over the whole run
  int round = 0;    // within the epoch: compressing, training, looking at the average, …
  int attempt = 0;
  friend auto operator<=>(const TaskId&, const TaskId&) = default;
};

// How to learn: the same for all nodes of a run but for what changes with the epoch.
struct LearningSettings {
  int batch = 64;
  double learning_rate = 0.001;
  double momentum = 0.9;
  double weight_decay = 0;
  RateSchedule schedule = RateSchedule::Constant;
  int jitter = 0;
  std::uint64_t seed = 1;
};

// Train the network on one's own samples; the update is the network after that.
struct TrainWork {
  int local_epochs = 1;
  double share = 1;  // of one's own samples, the same ones each time: a data option
};

// Tell the network's loss on one's own samples. There is no update.
struct EvaluateWork {
  // At most so many of one's own, the same ones each time; 0: all. Looking takes a third of the
  // time of learning.
  std::int64_t most = 0;
};

// Compress the network with one's own samples; the update is the smaller network.
struct PruneWork {
  std::string network;  // of the catalogue, of which the network is a pruned version
  double width = 1;
  double gone = 0;  // share of the full network's channels that is missing afterwards
  PruningCriterion criterion = PruningCriterion::GroupL2;
  int round_to = 16;
  int distil_epochs = 0;  // after pruning, learn so long from the network before it; 0: not at all
};

struct Task {
  TaskId id;
  ObjectRef network;  // what to begin with
  LearningSettings learning;
  std::variant<TrainWork, EvaluateWork, PruneWork> work;
  std::uint64_t update_limit = 0;  // bytes; larger ones are refused
};

enum class TaskEnd {
  Finished,
  Divergent,  // a loss that is no finite number
  Refused,    // it cannot be done here: no data, another architecture, …
  Failed,     // it broke
};

struct TaskResult {
  TaskId task;
  TaskEnd end = TaskEnd::Finished;
  std::string message;              // where not finished: for people, one line
  std::optional<ObjectRef> update;  // pushed before the result
  Loss loss{};                      // mean over `samples`
  std::int64_t samples = 0;
  Seconds time{};
  EnergyReading energy{};  // of this task alone
};

}  // namespace espalier
