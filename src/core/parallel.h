// SPDX-License-Identifier: Apache-2.0
// Many independent jobs on all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace espalier {

// Runs `job(worker, index)` for every index below `count`, each once, on up to `workers` threads
// (0: one per core); `worker` tells the threads apart. Indices are handed out in order. Returns
// when all are done; if jobs throw, no new ones start and the exception of the lowest index is
// rethrown.
void for_each_index(std::size_t count, unsigned workers,
                    const std::function<void(unsigned worker, std::size_t index)>& job);

// How many workers for_each_index would use.
unsigned worker_count(std::size_t count, unsigned workers);

}  // namespace espalier
