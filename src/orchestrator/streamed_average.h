// SPDX-License-Identifier: Apache-2.0
// Federated averaging of updates that lie in an object store: tensor by tensor, so that no more
// than the average and a tensor of one of them is ever in memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "networks/tensors.h"
#include "orchestrator/run_state.h"
#include "wire/link.h"

namespace espalier {

// What is wrong with an update, as a sentence: not there, damaged, another architecture, other
// shapes, values that are no finite numbers. Empty: nothing.
std::string fault_of_update(const ObjectStore& store, const ObjectRef& update,
                            const Architecture& expected);

// The same mean, to the bit, as `average` in training/fedavg.h has for the same updates in the same
// order. REQUIRES: none has a fault; all have the same architecture.
Network average_of(const ObjectStore& store, const std::vector<UpdateToCombine>& updates);

}  // namespace espalier
