// SPDX-License-Identifier: Apache-2.0
// Strategies side by side, for one goal or for many.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/strategy.h"
#include "render/simulation_report.h"
#include "studies/environment.h"
#include "studies/input.h"

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
  // After every simulated run, on whatever thread made it.
  std::function<void()> on_run = [] {};

  std::size_t run_count(std::size_t points) const {
    return points * strategies.size() * simulation.runs;
  }
};

// One comparison per point, all on all cores. If it was stopped, some rows have fewer runs, or
// none.
std::vector<Comparison> compare_strategies(std::span<const ComparePoint> points,
                                           const CompareWork& work, std::stop_token stop);

}  // namespace espalier
