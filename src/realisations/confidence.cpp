// SPDX-License-Identifier: Apache-2.0
#include "realisations/confidence.h"

#include <cmath>

#include "core/error.h"

namespace espalier {
namespace {

// The continued fraction of the incomplete beta function, by Lentz's method; quick for x <
// (a+1)/(a+b+2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto guarded = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1;
  double d = 1 / guarded(1 - (a + b) * x / (a + 1));
  double value = d;
  for (int m = 1; m < 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guarded(1 + even * d);
    c = guarded(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guarded(1 + odd * d);
    c = guarded(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return value;
}

// I_x(a, b), the distribution function of the beta distribution.
double beta_distribution(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double log_front =
      std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  const double front = std::exp(log_front);
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double beta_quantile(double a, double b, double q) {
  if (q <= 0) return 0;
  if (q >= 1) return 1;
  double low = 0;
  double high = 1;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (beta_distribution(a, b, middle) < q ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

Interval clopper_pearson(std::size_t hits, std::size_t trials, double confidence) {
  ESPALIER_CHECK(trials > 0 && hits <= trials);
  const double outside = (1 - confidence) / 2;
  const auto h = static_cast<double>(hits);
  const auto n = static_cast<double>(trials);
  return {hits == 0 ? 0 : beta_quantile(h, n - h + 1, outside),
          hits == trials ? 1 : beta_quantile(h + 1, n - h, 1 - outside)};
}

}  // namespace espalier
