// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace espalier {

// The 0.95 quantile of the standard normal distribution.
inline constexpr double kNormal95 = 1.6448536269514722;

// A quantile of Student's distribution with so many degrees of freedom, of which `z` is the normal
// one. To about 1 % from 3 degrees on, for z up to 2.
constexpr double student(double z, double degrees) {
  const double cube = z * z * z;
  const double first = (cube + z) / 4;
  const double second = (5 * cube * z * z + 16 * cube + 3 * z) / 96;
  return z + first / degrees + second / (degrees * degrees);
}

}  // namespace espalier
