// SPDX-License-Identifier: Apache-2.0
#include "render/simulation_report.h"

namespace espalier {

std::optional<double> Comparison::excess(const CompareRow& row) const {
  if (!optimum.plan || !row.summary.energy_when_reached) return std::nullopt;
  const double least = optimum.plan->end().energy.value;
  if (least > 0) return *row.summary.energy_when_reached / least - 1;
  return *row.summary.energy_when_reached > 0 ? std::nullopt : std::optional(0.0);
}

std::optional<double> SweepReport::mean_excess(std::size_t strategy) const {
  double sum = 0;
  int count = 0;
  for (const Comparison& comparison : comparisons) {
    const auto excess = comparison.excess(comparison.rows[strategy]);
    if (!excess) continue;
    sum += *excess;
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

}  // namespace espalier
