// SPDX-License-Identifier: Apache-2.0
#include "estimation/run_correction.h"

#include <algorithm>
#include <cmath>

#include "estimation/conformal.h"
#include "estimation/normal95.h"

namespace espalier {
namespace {

// What an older forecast counts compared to the next younger one.
constexpr double kFading = 0.9;
constexpr double kMostFall = 3;
constexpr double kMostWidth = 4;
// A single loss that is further out says no more.
constexpr double kFarthestOut = 4;

// A normal deviation on the side where it is.
double deviation(const LossRange& range, double value) {
  const double reach = value > range.mean ? range.high - range.mean : range.mean - range.low;
  return std::max(reach / kNormal95, 1e-12);
}

LossRange with_fall(const LossRange& said, double from, double fall) {
  const double shift = (fall - 1) * (said.mean - from);
  return {std::max(0.0, said.low + shift), std::max(0.0, said.mean + shift),
          std::max(0.0, said.high + shift)};
}

// The factor f for which came − from = f·(mean − from) fits best, each weighted by its deviation;
// 1 counts as `usual` typical forecasts.
double fall_of(std::span<const Recalled> recalled, double usual) {
  double weight = 1;
  double cross = 0;
  double square = 0;
  for (auto one = recalled.rbegin(); one != recalled.rend(); ++one, weight *= kFading) {
    const double unit = deviation(one->said, one->came);
    const double forecast = (one->said.mean - one->from) / unit;
    cross += weight * forecast * (one->came - one->from) / unit;
    square += weight * forecast * forecast;
  }
  // A deviation of 1 in the usual factor's favour for each of the usual ones.
  return std::clamp((cross + usual) / (square + usual), 1 / kMostFall, kMostFall);
}

SquareSum squares_around(std::span<const Recalled> recalled, double fall) {
  SquareSum squares;
  double weight = 1;
  for (auto one = recalled.rbegin(); one != recalled.rend(); ++one, weight *= kFading) {
    const LossRange said = with_fall(one->said, one->from, fall);
    const double out = std::abs(one->came - said.mean) / deviation(said, one->came);
    const double away = std::min(out, kFarthestOut);
    squares.sum += weight * away * away;
    squares.weight += weight;
  }
  return squares;
}

}  // namespace

RunCorrection learn_correction(std::span<const Recalled> recalled, const UsualCounts& usual) {
  const double fall = fall_of(recalled, usual.fall);
  const auto [sum, weight] = squares_around(recalled, fall);
  const double square = (sum / usual.square + usual.width) / (weight + usual.width);
  return {fall, std::clamp(std::sqrt(square), 1 / kMostWidth, kMostWidth)};
}

SquareSum squares_of(std::span<const Recalled> recalled, const UsualCounts& usual) {
  return squares_around(recalled, fall_of(recalled, usual.fall));
}

LossRange corrected_at(const LossRange& said, double from, const RunCorrection& correction,
                       std::size_t ahead) {
  // Beyond what was compared, what it taught fades.
  const double known = std::min(1.0, kEpochsAhead / static_cast<double>(ahead));
  const double fall = 1 + known * (correction.fall - 1);
  return widened(with_fall(said, from, fall), correction.width);
}

LossesAhead corrected(LossesAhead ranges, double from, const RunCorrection& correction) {
  for (std::size_t i = 0; i < ranges.size(); ++i)
    ranges[i] = corrected_at(ranges[i], from, correction, i + 1);
  return ranges;
}

}  // namespace espalier
