// SPDX-License-Identifier: Apache-2.0
#include "estimation/horizons.h"

#include <algorithm>

#include "core/error.h"
#include "core/portable_math.h"
#include "estimation/blend.h"

namespace espalier {

BetweenHorizons between_horizons(std::size_t epochs) {
  const auto* const above = std::lower_bound(kHorizons.begin(), kHorizons.end(), epochs);
  if (above == kHorizons.end()) return {kHorizons.size() - 1, kHorizons.size() - 1, 0};
  const auto at = static_cast<std::size_t>(above - kHorizons.begin());
  if (*above == epochs) return {at, at, 0};
  const double begin = portable_log(static_cast<double>(kHorizons[at - 1]));
  const double end = portable_log(static_cast<double>(kHorizons[at]));
  return {at - 1, at, (portable_log(static_cast<double>(epochs)) - begin) / (end - begin)};
}

LossesAhead blended_ahead(const LossesAhead& network, const LossesAhead& power_law,
                          const HorizonTuning& tuning) {
  ESPALIER_CHECK(network.size() == power_law.size());
  LossesAhead both;
  for (std::size_t i = 0; i < network.size(); ++i) {
    const auto [before, after, share] = between_horizons(i + 1);
    const double of_network =
        (1 - share) * tuning.network_share[before] + share * tuning.network_share[after];
    both.push_back(blended(network[i], power_law[i], of_network));
  }
  return both;
}

LossesAhead adjusted_ahead(LossesAhead ranges, const HorizonTuning& tuning) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto [before, after, share] = between_horizons(i + 1);
    const LossRange near = adjusted(ranges[i], tuning.adjustment[before]);
    const LossRange far = adjusted(ranges[i], tuning.adjustment[after]);
    ranges[i] = blended(far, near, share);
  }
  return ranges;
}

}  // namespace espalier
