// SPDX-License-Identifier: Apache-2.0
#include "experiments/inventory.h"

#include <algorithm>

namespace espalier {

Inventory take_inventory(const ExperimentTree& tree, const TraceFolder& folder,
                         const Scenario& scenario) {
  Inventory inventory{{}, StepTimes(scenario)};
  for (const Branch& branch : tree.branches) {
    const BranchRecord record = folder.record_of(branch);
    const int known = record.steps(branch);
    const int last = last_step(record, branch);
    inventory.stock.push_back({known, folder.networks_of(branch.run), last <= known});
    if (branch.kind == Branch::Kind::Pruning) continue;
    inventory.epochs_known += std::min(known, last);
    for (const TraceRow& row : record.rows) {
      if (row.event == TraceEvent::Epoch) inventory.times.add(branch.nodes, branch.prune, row.time);
    }
  }
  return inventory;
}

}  // namespace espalier
