// SPDX-License-Identifier: Apache-2.0
// Many runs of one strategy, on all cores, each with a luck of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/strategy.h"
#include "simulation/run.h"

namespace espalier {

struct SimulationOptions {
  RunOptions run{};
  // How many realisations; without noise they are all alike and one is enough.
  std::size_t runs = 1;
  // Of the luck. The same seed is the same luck, whatever the strategy.
  std::uint64_t seed = 1;
  // Threads; 0: one per core. The records do not depend on it.
  unsigned workers = 0;
};

// The two sides of a simulation, and perhaps how the one learns from the other.
struct World {
  const Problem& estimated;  // what the strategy believes; borrowed, must outlive the call
  MakeReality reality;       // what happens: reality_of(actual), as a rule
  MakeOutlook outlook{};     // what it believes after each epoch; absent: nothing else
};

// Called after each run, by one thread at a time.
using RunsDone = std::function<void(std::size_t done)>;

// Records in the order of the realisations; those that were not begun when `stop` came are missing
// from the end.
std::vector<RunRecord> simulate_runs(const World& world, const Strategy& strategy,
                                     const PlannerOptions& planning,
                                     const SimulationOptions& options, std::stop_token stop = {},
                                     const RunsDone& done = {});

}  // namespace espalier
