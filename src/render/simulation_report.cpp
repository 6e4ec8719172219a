// SPDX-License-Identifier: Apache-2.0
#include "render/simulation_report.h"

namespace espalier {

std::optional<Joules> Comparison::least_energy() const {
  if (clairvoyant)
    return clairvoyant->reachable > 0 ? std::optional(Joules{clairvoyant->energy}) : std::nullopt;
  return optimum.plan ? std::optional(optimum.plan->end().energy) : std::nullopt;
}

std::optional<double> SweepReport::mean_excess(std::size_t strategy) const {
  double sum = 0;
  int count = 0;
  for (const Comparison& comparison : comparisons) {
    const auto excess = comparison.rows[strategy].excess;
    if (!excess) continue;
    sum += *excess;
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

}  // namespace espalier
