// SPDX-License-Identifier: Apache-2.0
// Federated averaging of updates that lie in an object store: some values at a time, so that
// however many updates there are, and however large they are, little of them is in memory.
#pragma once

#include <filesystem>
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

// The same of several, looked at side by side.
std::vector<std::string> faults_of_updates(const ObjectStore& store,
                                           const std::vector<ObjectRef>& updates,
                                           const Architecture& expected);

// Puts the mean of updates into the store, and returns what it is known by. To the bit, it is the
// one that `average` in training/fedavg.h has for the same updates in the same order. Until it is
// whole it lies in a file without a name in `scratch`. REQUIRES: none has a fault; all have the
// same architecture.
ObjectRef put_average(ObjectStore& store, const std::vector<UpdateToCombine>& updates,
                      const std::filesystem::path& scratch);

}  // namespace espalier
