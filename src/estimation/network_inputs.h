// SPDX-License-Identifier: Apache-2.0
// What the networks that estimate see of learning, and how their answers become losses. Curves are
// seen relative to their first loss, so that no unit of loss matters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/portable_math.h"
#include "estimation/estimators.h"

namespace espalier {

inline constexpr std::size_t kLossInputs = 2;
inline constexpr std::size_t kConditionInputs = 3;
inline constexpr std::size_t kPlaceInputs = kConditionInputs + 3;
inline constexpr std::size_t kChangeInputs = 12;
// Mean, way down to `low` and way up to `high`.
inline constexpr std::size_t kRangeOutputs = 3;
// Standardised inputs further out are taken as this far out: beyond what a network was fitted to,
// it shall not extrapolate without bound.
inline constexpr float kFarthestInput = 5;

// A share of the first loss that is added to each one: relative changes below it mean nothing.
inline constexpr double kLevelOffset = 1e-3;
inline constexpr double kLeastFirstLoss = 1e-30;

// ln(loss / first), both a little raised.
inline double loss_level(double loss, double first) {
  first = first < kLeastFirstLoss ? kLeastFirstLoss : first;
  const double offset = kLevelOffset * first;
  return portable_log((loss + offset) / (first + offset));
}

// Forecasts count changes of the loss in this unit.
inline double loss_unit(double loss, double first) { return loss + 0.01 * first; }

// ln(1 + count); a count below 0 is taken as 0.
inline float log_count(double count) {
  return static_cast<float>(portable_log(1 + (count < 0 ? 0 : count)));
}

// Where a curve has arrived.
struct CurvePlace {
  std::size_t place = 0;
  std::size_t stage = 0;
  double fall = 0;  // of the level since the stage began
};

// Read one after the other.
std::array<float, kLossInputs> loss_inputs(double level_before, double level);
// Read once, at the newest loss: the conditions first.
std::array<float, kConditionInputs> condition_inputs(const Conditions& now);
std::array<float, kPlaceInputs> place_inputs(const CurvePlace& at, const Conditions& now);
std::array<float, kChangeInputs> change_inputs(const Pruning& change);

// Around `base`, in `unit`s. REQUIRES: down, up ≥ 0. No loss is below 0.
inline LossRange loss_range(double base, double unit,
                            const std::array<float, kRangeOutputs>& outputs) {
  const double mean = base + unit * outputs[0];
  return {std::max(mean - unit * outputs[1], 0.0), std::max(mean, 0.0),
          std::max(mean + unit * outputs[2], 0.0)};
}

// Throws Error{BadInput} where a loss isn't finite or below 0, or where the stage is beyond them.
void check_history(const History& history);
void check_change(const Pruning& change);

}  // namespace espalier
