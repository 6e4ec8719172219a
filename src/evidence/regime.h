// SPDX-License-Identifier: Apache-2.0
// How much time there is.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/scenario.h"
#include "core/trace.h"

namespace espalier {

struct Regime {
  std::string id{};     // "loose"
  std::string about{};  // what it is, in a sentence
  Seconds deadline{};
  bool binds = false;
};

// The scenario's own deadline, and one that binds: at the tightest target half-way between the
// quickest course, for the slowest seed, and the cheapest, for the quickest seed. Absent where the
// tightest target is out of reach, or where the scenario's own deadline is no later.
std::vector<Regime> regimes_of(const Scenario& scenario, const std::vector<TraceRow>& rows,
                               std::span<const double> targets);

}  // namespace espalier
