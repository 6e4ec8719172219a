// SPDX-License-Identifier: Apache-2.0
#include "node/task_check.h"

#include <cmath>

#include "core/error.h"
#include "node/worker.h"
#include "training/learner_options.h"

namespace espalier {
namespace {

constexpr std::uint64_t kLargestNetwork = std::uint64_t{1} << 31U;
constexpr int kMostLocalEpochs = 1'000;
constexpr int kMostRounding = 4'096;

using Fault = std::optional<std::string>;

bool is_share(double value) { return value > 0 && value <= 1; }

struct WorkFault {
  Fault operator()(const TrainWork& work) const {
    if (work.local_epochs < 1 || work.local_epochs > kMostLocalEpochs)
      return "local epochs must be 1 to 1000";
    if (!is_share(work.share)) return "the share of samples must be above 0 and at most 1";
    return std::nullopt;
  }
  Fault operator()(const EvaluateWork& work) const {
    if (work.most < 0) return "the number of samples to look at must not be negative";
    return std::nullopt;
  }
  Fault operator()(const PruneWork& work) const {
    if (!(work.gone >= 0 && work.gone < 1)) return "the pruning ratio must be in [0, 1)";
    if (work.round_to < 1 || work.round_to > kMostRounding)
      return "channels must be rounded to 1 to 4096";
    if (work.distil_epochs < 0 || work.distil_epochs > kMostLocalEpochs)
      return "epochs of distilling must be 0 to 1000";
    return std::nullopt;
  }
};

Fault learning_fault(const LearningSettings& learning) {
  try {
    validate(options_of(learning, 1));
  } catch (const Error& error) {
    return error.what();
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> fault_of(const Task& task, const std::string& run) {
  if (task.id.run != run) return "the task is of another run";
  if (task.id.epoch < 0 || task.id.round < 0 || task.id.attempt < 0)
    return "the number of the task is negative";
  if (!is_object_ref(task.network)) return "the network's name is no digest";
  if (task.network.size > kLargestNetwork) return "the network is larger than 2 GiB";
  if (const Fault fault = learning_fault(task.learning)) return fault;
  return std::visit(WorkFault{}, task.work);
}

}  // namespace espalier
