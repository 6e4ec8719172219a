// SPDX-License-Identifier: Apache-2.0
// How far a collection has come: epochs differ in length, so that counting them is not enough.
#pragma once

#include <vector>

#include "cli/progress.h"
#include "core/trace.h"
#include "experiments/step_times.h"

namespace espalier {

// Owned by one thread.
class CollectProgress {
 public:
  // The tree must outlive it.
  CollectProgress(const ExperimentTree& tree, const Agenda& agenda, StepTimes times);

  void add(BranchId branch, const TraceRow& row);

 private:
  void forget_rest_of(BranchId branch);
  void tell();

  const ExperimentTree& tree_;
  StepTimes times_;
  std::vector<int> left_;  // epochs by branch
  std::vector<int> done_;
  std::int64_t total_ = 0;
  std::int64_t count_ = 0;
  ProgressLine line_;
};

}  // namespace espalier
