// SPDX-License-Identifier: Apache-2.0
// How many runs are simulated, and of what luck.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "simulation/summary.h"

namespace espalier {

struct LuckOptions {
  std::optional<std::int64_t> runs;  // absent: enough
  std::uint64_t seed = 1;
};

// The runs that make sense for a truth with or without noise. Throws Error{BadInput} for fewer than
// one.
SimulationOptions simulation_options(const LuckOptions& options, Luck luck);

// What to tell about runs that were asked for and not made.
std::vector<std::string> luck_notes(const LuckOptions& options, Luck luck);

}  // namespace espalier
