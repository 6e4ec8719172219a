// SPDX-License-Identifier: Apache-2.0
#include "node/wording.h"

#include <fmt/format.h>

#include "core/provenance.h"

namespace espalier {
namespace {

struct WorkWords {
  std::string operator()(const TrainWork&) const { return "train"; }
  std::string operator()(const EvaluateWork&) const { return "look at the network"; }
  std::string operator()(const PruneWork& work) const {
    return fmt::format("prune {:.4g} % of the channels", 100 * work.gone);
  }
};

}  // namespace

std::string words_of(const TaskId& task) {
  const std::string attempt =
      task.attempt > 0 ? fmt::format(", attempt {}", task.attempt + 1) : std::string();
  return fmt::format("epoch {}{}", task.epoch + 1, attempt);
}

std::string words_of(const std::variant<TrainWork, EvaluateWork, PruneWork>& work) {
  return std::visit(WorkWords{}, work);
}

std::string words_of(const TaskResult& result) {
  if (result.end != TaskEnd::Finished) return result.message;
  return fmt::format("loss {:.4g} on {} samples, {:.2f} s, {:.4g} J ({}: {})", result.loss.value,
                     result.samples, result.time.value, result.energy.energy.value,
                     name_of(result.energy.provenance), result.energy.source);
}

}  // namespace espalier
