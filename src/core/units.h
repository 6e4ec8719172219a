// SPDX-License-Identifier: Apache-2.0
// Physical quantities that cannot be mixed up: seconds never add to joules.
#pragma once

#include <compare>
#include <limits>

namespace espalier {

// A double with a unit. Immutable arithmetic; comparison is that of doubles.
template <class Unit>
struct Quantity {
  double value = 0;

  static constexpr Quantity infinite() { return {std::numeric_limits<double>::infinity()}; }

  constexpr Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(Quantity a, double factor) { return {a.value * factor}; }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;
};

using Seconds = Quantity<struct SecondsUnit>;
using Joules = Quantity<struct JoulesUnit>;
using Loss = Quantity<struct LossUnit>;

}  // namespace espalier
