// SPDX-License-Identifier: Apache-2.0
// Least squares of y = floor + fall·x, with weights and with an opinion beforehand.
#pragma once

namespace espalier {

// Weighted sums over the points.
struct LineSums {
  double weight = 0;
  double x = 0;
  double xx = 0;
  double y = 0;
  double xy = 0;
  double yy = 0;

  void add(double point_x, double point_y, double point_weight) {
    weight += point_weight;
    x += point_weight * point_x;
    xx += point_weight * point_x * point_x;
    y += point_weight * point_y;
    xy += point_weight * point_x * point_y;
    yy += point_weight * point_y * point_y;
  }
  // Weighted sum of squared errors.
  double squares(double floor, double fall) const;
};

// What is expected without any point; a precision is 1/deviation².
struct LinePrior {
  double floor = 0;
  double floor_precision = 1;
  double fall = 0;
  double fall_precision = 1;

  double squares(double floor_found, double fall_found) const;
};

// The most likely line of those that have neither floor nor fall below 0.
struct LineFit {
  double floor = 0;
  double fall = 0;
  double determinant = 1;  // of the precision of both
  // How unsure both are.
  double floor_variance = 0;
  double covariance = 0;
  double fall_variance = 0;

  // Of the line at x.
  double variance_at(double x) const;
};

// REQUIRES: precisions > 0, variance of a point of weight 1 > 0.
LineFit fit_line(const LineSums& sums, const LinePrior& prior, double variance);

}  // namespace espalier
