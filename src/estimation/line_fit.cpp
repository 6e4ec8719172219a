// SPDX-License-Identifier: Apache-2.0
#include "estimation/line_fit.h"

#include <algorithm>

namespace espalier {
namespace {

double squared(double x) { return x * x; }

}  // namespace

double LineSums::squares(double floor, double fall) const {
  const double sum = yy + floor * floor * weight + fall * fall * xx + 2 * floor * fall * x -
                     2 * floor * y - 2 * fall * xy;
  return std::max(0.0, sum);
}

double LinePrior::squares(double floor_found, double fall_found) const {
  return floor_precision * squared(floor_found - floor) +
         fall_precision * squared(fall_found - fall);
}

double LineFit::variance_at(double x) const {
  return std::max(0.0, floor_variance + 2 * x * covariance + x * x * fall_variance);
}

LineFit fit_line(const LineSums& sums, const LinePrior& prior, double variance) {
  // Precision (a b; b c) and its product with the solution (u; v).
  const double a = sums.weight / variance + prior.floor_precision;
  const double b = sums.x / variance;
  const double c = sums.xx / variance + prior.fall_precision;
  const double u = sums.y / variance + prior.floor_precision * prior.floor;
  const double v = sums.xy / variance + prior.fall_precision * prior.fall;
  LineFit fit;
  fit.determinant = a * c - b * b;
  fit.floor = (u * c - v * b) / fit.determinant;
  fit.fall = (v * a - u * b) / fit.determinant;
  if (fit.fall < 0) fit.floor = u / a;
  if (fit.floor < 0) fit.fall = v / c;
  fit.floor = std::max(0.0, fit.floor);
  fit.fall = std::max(0.0, fit.fall);
  fit.floor_variance = c / fit.determinant;
  fit.covariance = -b / fit.determinant;
  fit.fall_variance = a / fit.determinant;
  return fit;
}

}  // namespace espalier
