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

LossesAhead blended_ahead(const SaidAhead& said, const HorizonTuning& tuning) {
  ESPALIER_CHECK(said.network.size() == said.power_law.size());
  ESPALIER_CHECK(said.network.size() == said.kindred.size());
  LossesAhead all;
  for (std::size_t i = 0; i < said.network.size(); ++i) {
    const BetweenHorizons between = between_horizons(i + 1);
    const auto share_in = [&](const auto& shares) {
      return (1 - between.share) * shares[between.before] + between.share * shares[between.after];
    };
    const LossRange both =
        blended(said.network[i], said.power_law[i], share_in(tuning.network_share));
    all.push_back(blended(said.kindred[i], both, share_in(tuning.kindred_share)));
  }
  return all;
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
