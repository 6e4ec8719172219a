// SPDX-License-Identifier: Apache-2.0
// Does tasks with a node's own images. It runs no code that it is sent and opens no file.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "core/clock.h"
#include "networks/tensors.h"
#include "node/own_data.h"
#include "node/task_meter.h"
#include "training/learner.h"
#include "training/learner_options.h"
#include "wire/task.h"

namespace espalier {

LearnerOptions options_of(const LearningSettings& learning, int threads);

// The share of a task that is done, 0 to 1.
using TellDone = std::function<void(double share)>;

struct WorkerTools {
  std::function<LearnerFactory(const LearnerOptions&)> learners;
  NodeMeters meters;
  const Clock& clock;
  int threads = 1;
  // Adds to one's own energy what others used that took part in a task.
  std::function<EnergyReading(const EnergyReading&)> with_others = [](const auto& own) {
    return own;
  };
};

// `result` without its update, which is still a network.
struct Finished {
  TaskResult result;
  std::optional<Network> update{};
};

// Owned by one thread.
class Worker {
 public:
  // `data` must outlive it.
  Worker(const OwnData& data, WorkerTools tools) : data_(data), tools_(std::move(tools)) {}

  // The same task and network give the same update, to the bit, as train_together gives a member
  // with the same samples. Whatever goes wrong is in the result; nothing at all: stopped.
  // `tell` hears how much is done of what takes long: training.
  std::optional<Finished> work(const Task& task, const Network& network, std::stop_token stop,
                               const TellDone& tell = {}) const;

 private:
  const OwnData& data_;
  const WorkerTools tools_;
};

}  // namespace espalier
