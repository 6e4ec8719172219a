// SPDX-License-Identifier: Apache-2.0
// What a folder holds of the experiments of a tree.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/agenda.h"
#include "experiments/step_times.h"
#include "experiments/trace_folder.h"

namespace espalier {

struct Inventory {
  Stock stock;
  StepTimes times;
  std::int64_t epochs_known = 0;  // of those that the tree needs
};

// Throws Error{BadInput} if a file is damaged.
Inventory take_inventory(const ExperimentTree& tree, const TraceFolder& folder,
                         const Scenario& scenario);

}  // namespace espalier
