// SPDX-License-Identifier: Apache-2.0
#include "policies/normal_distribution.h"

#include <array>
#include <cstddef>

#include "core/portable_math.h"

namespace espalier {
namespace {

constexpr double kRootTwoPi = 2.50662827463100050242;

// Hart's rational approximation (1968, number 5666) of the upper tail's share over exp(−z²/2).
constexpr std::array<double, 7> kNumerator{
    3.52624965998911e-02, 0.700383064443688, 6.37396220353165, 33.912866078383,
    112.079291497871,     221.213596169931,  220.206867912376};
constexpr std::array<double, 8> kDenominator{
    8.83883476483184e-02, 1.75566716318264, 16.064177579207,  86.7807322029461,
    296.564248779674,     637.333633378831, 793.826512519948, 440.413735824752};
// Where a continued fraction takes over.
constexpr double kFar = 7.07106781186547;

// E[max(0, Z − z)] is tabled from 0 to where it is less than 1e-11.
constexpr double kKnotsPerUnit = 128;
constexpr std::size_t kKnots = 833;

template <std::size_t n>
double polynomial(const std::array<double, n>& coefficients, double x) {
  double sum = 0;
  for (const double c : coefficients) sum = sum * x + c;
  return sum;
}

double bell(double z) { return portable_exp(-0.5 * z * z); }

// The share above z ≥ 0, over bell(z).
double tail_over_bell(double z) {
  if (z < kFar) return polynomial(kNumerator, z) / polynomial(kDenominator, z);
  double fraction = z + 0.65;
  for (int i = 4; i > 0; --i) fraction = z + i / fraction;
  return 1 / (fraction * kRootTwoPi);
}

std::array<double, kKnots> table_of_mean_above() {
  std::array<double, kKnots> table{};
  for (std::size_t i = 0; i < kKnots; ++i) {
    const double z = static_cast<double>(i) / kKnotsPerUnit;
    table[i] = bell(z) * (1 / kRootTwoPi - z * tail_over_bell(z));
  }
  return table;
}

const std::array<double, kKnots> kMeanAbove = table_of_mean_above();

}  // namespace

double portable_normal_share_below(double z) {
  const double tail = bell(z) * tail_over_bell(z < 0 ? -z : z);
  return z < 0 ? tail : 1 - tail;
}

double portable_normal_mean_above(double z) {
  const double far = z < 0 ? -z : z;
  const double at = far * kKnotsPerUnit;
  if (at >= kKnots - 1) return z < 0 ? far : 0;
  const auto knot = static_cast<std::size_t>(at);
  const double share = at - static_cast<double>(knot);
  const double above = kMeanAbove[knot] + share * (kMeanAbove[knot + 1] - kMeanAbove[knot]);
  return z < 0 ? above - z : above;
}

}  // namespace espalier
