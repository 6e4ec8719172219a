// SPDX-License-Identifier: Apache-2.0
#include "estimation/ways.h"

#include <algorithm>
#include <cmath>

#include "core/portable_math.h"
#include "estimation/normal95.h"
#include "realisations/rng.h"

namespace espalier {
namespace {

double loss_at(const LossRange& range, double luck) {
  const double reach = luck > 0 ? range.high - range.mean : range.mean - range.low;
  return std::max(0.0, range.mean + reach * luck / kNormal95);
}

// How much luck remains from one epoch ahead to the next, and how much is new.
struct Memory {
  double kept = 0;
  double renewed = 1;
};

std::vector<Memory> memories(std::size_t epochs, double fading) {
  std::vector<Memory> all(epochs);
  for (std::size_t i = 1; i < epochs; ++i) {
    const double earlier = static_cast<double>(i) / static_cast<double>(i + 1);
    const double kept = portable_pow(earlier, fading);
    all[i] = {kept, std::sqrt(1 - kept * kept)};
  }
  return all;
}

}  // namespace

std::vector<std::vector<double>> ways_ahead(const LossesAhead& ranges, double from,
                                            const WaysOptions& options) {
  const CounterRng rng(options.seed);
  const std::vector<Memory> memory = memories(ranges.size(), options.fading);
  std::vector<std::vector<double>> ways(options.count, std::vector<double>(ranges.size()));
  std::vector<double> lowest(options.count, from);
  std::vector<double> luck(options.count, 0);
  std::vector<double> fresh(options.count);
  for (std::size_t h = 0; h < ranges.size(); ++h) {
    rng.normals({0, 0, h}, fresh);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      luck[i] = memory[h].kept * luck[i] + memory[h].renewed * fresh[i];
      lowest[i] = std::min(lowest[i], loss_at(ranges[h], luck[i]));
      ways[i][h] = lowest[i];
    }
  }
  return ways;
}

}  // namespace espalier
