// SPDX-License-Identifier: Apache-2.0
// Makes the experiments of a tree with several trainers.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>

#include "experiments/agenda.h"
#include "experiments/trace_folder.h"

namespace espalier {

struct CollectorOptions {
  std::filesystem::path trainer{};  // the program that trains
  unsigned workers = 1;             // how many of it at a time, at most
  // Give up when a trainer has died so many times at the same piece of work.
  int attempts = 3;
  AgendaOptions agenda{};
};

enum class CollectorEnd { Finished, Stopped };

// Called for every row as it arrives; what a trainer was at when it died arrives again.
using OnRow = std::function<void(BranchId, const TraceRow&)>;

// Works until everything is there, or stop is requested. `stock` is what the folder holds already.
// What a row file holds is never lost, whatever is killed at whatever instant; at worst one segment
// per trainer is done again. Throws Error: what a trainer says is wrong, RunFailed if trainers keep
// dying. REQUIRES: the folder is locked, and has scenario.yaml.
CollectorEnd collect(const ExperimentTree& tree, const TraceFolder& folder, Stock stock,
                     const CollectorOptions& options, const std::stop_token& stop,
                     const OnRow& on_row);

}  // namespace espalier
