// SPDX-License-Identifier: Apache-2.0
// How far ahead estimators are judged, and what was learnt of their mistakes there. Between two
// such horizons, what holds at both counts in proportion, on a logarithmic scale of epochs.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "estimation/conformal.h"
#include "estimation/network_rollout.h"

namespace espalier {

// Epochs ahead.
inline constexpr std::array<std::size_t, 8> kHorizons{1, 2, 3, 4, 5, 10, 20, 40};

// The two horizons around an epoch ahead, as positions in kHorizons; beyond the last one it alone.
struct BetweenHorizons {
  std::size_t before = 0;
  std::size_t after = 0;
  double share = 0;  // of `after`
};

// REQUIRES: epochs ≥ 1.
BetweenHorizons between_horizons(std::size_t epochs);

// For each of kHorizons.
struct HorizonTuning {
  std::array<double, kHorizons.size()> network_share{};  // the rest is the power law's
  std::array<Adjustment, kHorizons.size()> adjustment{};
  friend bool operator==(const HorizonTuning&, const HorizonTuning&) = default;
};

// What network and power law say, as one. REQUIRES: as many of both.
LossesAhead blended_ahead(const LossesAhead& network, const LossesAhead& power_law,
                          const HorizonTuning& tuning);

// Ranges that come true.
LossesAhead adjusted_ahead(LossesAhead ranges, const HorizonTuning& tuning);

}  // namespace espalier
