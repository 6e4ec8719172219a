// SPDX-License-Identifier: Apache-2.0
// Many runs in a few numbers.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/chance.h"
#include "simulation/run.h"

namespace espalier {

// The q-quantile of `sorted` by linear interpolation between its two neighbours. REQUIRES: not
// empty.
double quantile_of_sorted(std::span<const double> sorted, double q);

struct Spread {
  double mean = 0;
  double p05 = 0;
  double p50 = 0;
  double p95 = 0;
};

// REQUIRES: not empty.
Spread spread_of(std::vector<double> values);

// Whether one more run would tell anything new.
enum class Luck { None, Drawn };

// Energies, times and losses are those of all runs, missed ones included, in J and s.
struct SimulationSummary {
  std::size_t runs = 0;
  std::size_t reached = 0;
  double probability = 0;  // of reaching the goal
  Interval probability_interval{0, 1};
  Spread energy;
  Spread time;
  Spread loss;
  std::optional<double> energy_when_reached;  // mean of the runs that reached the goal, if any did
  double switches_mean = 0;
  double plans_mean = 0;
  double fallbacks_mean = 0;
  std::size_t without_plan = 0;    // runs that ended because the strategy had no plan any more
  double unknown_epochs_mean = 0;  // of which nobody knows what they would have done
  std::vector<CountedNote> notes;  // summed over the runs
};

// With Luck::None the one outcome is certain, and its interval is a point. No runs tell nothing.
SimulationSummary summarise(std::span<const RunRecord> records, Luck luck);

}  // namespace espalier
