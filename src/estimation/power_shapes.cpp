// SPDX-License-Identifier: Apache-2.0
#include "estimation/power_shapes.h"

#include <algorithm>

#include "core/portable_math.h"

namespace espalier {
namespace {

std::array<double, kPowers.size()> powers_of(double base) {
  const double quarter = portable_exp(-0.25 * portable_log(base));
  const double half = quarter * quarter;
  const double one = half * half;
  const double two = one * one;
  return {quarter, half, half * quarter, one, one * half, two, two * one, two * two};
}

}  // namespace

ShapeValues shape_values(double start, double epochs) {
  ShapeValues values;
  for (std::size_t i = 0; i < kShifts.size(); ++i) {
    const auto powers = powers_of(1 + epochs / (start + kShifts[i]));
    std::copy(powers.begin(), powers.end(), values.begin() + i * kPowers.size());
  }
  return values;
}

}  // namespace espalier
