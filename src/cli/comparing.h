// SPDX-License-Identifier: Apache-2.0
// Strategies side by side, for one goal or for many.
#pragma once

#include <span>
#include <vector>

#include "cli/environment.h"
#include "cli/input.h"
#include "cli/interruption.h"
#include "core/strategy.h"
#include "render/simulation_report.h"

namespace espalier {

// One thing to compare on: what is believed and what is true.
struct ComparePoint {
  Input input;
  Environment environment;
};

struct CompareWork {
  std::vector<const Strategy*> strategies;
  PlannerOptions planning;
  SimulationOptions simulation;
};

// One comparison per point, all on all cores. If it was stopped, some rows have fewer runs, or
// none.
std::vector<Comparison> compare_strategies(std::span<const ComparePoint> points,
                                           const CompareWork& work,
                                           const Interruption& interruption);

}  // namespace espalier
