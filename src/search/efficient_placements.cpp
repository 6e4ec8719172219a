// SPDX-License-Identifier: Apache-2.0
#include "search/efficient_placements.h"

#include <cmath>
#include <limits>
#include <optional>

namespace espalier {
namespace {

// The placement that lowers the loss most cheaply in the next epoch, when a second costs `price`
// joules.
std::optional<PlacementId> most_efficient(const Problem& problem, Estimator estimator,
                                          const State& now, double price) {
  std::optional<PlacementId> best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < problem.size(); ++p) {
    const Training& t = problem.placements()[p];
    const double fall = now.loss.value - t.rule[estimator].next(now.epoch + 1, now.loss.value);
    if (!t.possible || !(fall > 0)) continue;
    const double cost = (t.energy.value + price * t.time.value) / fall;
    if (!(cost < least)) continue;
    least = cost;
    best = PlacementId{static_cast<std::int32_t>(p)};
  }
  return best;
}

}  // namespace

std::set<PlacementId> efficient_placements(const Problem& problem, Estimator estimator, State now) {
  constexpr int kLosses = 12;
  constexpr double kPrices[] = {0, 0.25, 1, 4, 1e6};
  Joules energy;
  Seconds time;
  for (const Training& t : problem.placements()) {
    energy += t.energy;
    time += t.time;
  }
  const double step = std::pow(problem.goal().loss / now.loss, 1.0 / kLosses);
  std::set<PlacementId> efficient;
  for (int i = 0; i < kLosses; ++i) {
    for (const double price : kPrices) {
      const auto best = most_efficient(problem, estimator, now, price * energy.value / time.value);
      if (best) efficient.insert(*best);
    }
    now.loss = now.loss * step;
  }
  return efficient;
}

}  // namespace espalier
