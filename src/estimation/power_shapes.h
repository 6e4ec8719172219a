// SPDX-License-Identifier: Apache-2.0
// The shapes of power laws: (1 + k/b)^−p for a grid of b and p.
#pragma once

#include <array>
#include <cstddef>

namespace espalier {

// All powers are multiples of ¼, so that one logarithm and one exponential give them all.
inline constexpr std::array kShifts{0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0};
inline constexpr std::array kPowers{0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0};
inline constexpr std::size_t kShapes = kShifts.size() * kPowers.size();

using ShapeValues = std::array<double, kShapes>;

// By how much each shape has fallen since `start`, `epochs` later: 1 at 0.
ShapeValues shape_values(double start, double epochs);

}  // namespace espalier
