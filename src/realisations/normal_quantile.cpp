// SPDX-License-Identifier: Apache-2.0
// Wichura's algorithm AS 241 (1988): a ratio of polynomials for the middle, one for the tails, one
// for the far tails.
#include "realisations/normal_quantile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/portable_math.h"
#include "realisations/vectorised.h"

namespace espalier {
namespace {

using Coefficients = std::array<double, 8>;

inline double ratio(const Coefficients& above, const Coefficients& below, double x) {
  double top = 0;
  double bottom = 0;
  for (std::size_t i = above.size(); i-- > 0;) {
    top = top * x + above[i];
    bottom = bottom * x + below[i];
  }
  return top / bottom;
}

constexpr Coefficients kMiddleAbove{3.3871328727963666080e0, 1.3314166789178437745e2,
                                    1.9715909503065514427e3, 1.3731693765509461125e4,
                                    4.5921953931549871457e4, 6.7265770927008700853e4,
                                    3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr Coefficients kMiddleBelow{1.0,
                                    4.2313330701600911252e1,
                                    6.8718700749205790830e2,
                                    5.3941960214247511077e3,
                                    2.1213794301586595867e4,
                                    3.9307895800092710610e4,
                                    2.8729085735721942674e4,
                                    5.2264952788528545610e3};
constexpr Coefficients kTailAbove{1.42343711074968357734e0,  4.63033784615654529590e0,
                                  5.76949722146069140550e0,  3.64784832476320460504e0,
                                  1.27045825245236838258e0,  2.41780725177450611770e-1,
                                  2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr Coefficients kTailBelow{1.0,
                                  2.05319162663775882187e0,
                                  1.67638483018380384940e0,
                                  6.89767334985100004550e-1,
                                  1.48103976427480074590e-1,
                                  1.51986665636164571966e-2,
                                  5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
constexpr Coefficients kFarAbove{6.65790464350110377720e0,  5.46378491116411436990e0,
                                 1.78482653991729133580e0,  2.96560571828504891230e-1,
                                 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                 2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr Coefficients kFarBelow{1.0,
                                 5.99832206555887937690e-1,
                                 1.36929880922735805310e-1,
                                 1.48753612908506148525e-2,
                                 7.86869131145613259100e-4,
                                 1.84631831751005468180e-5,
                                 1.42151175831644588870e-7,
                                 2.04426310338993978564e-15};

constexpr double kMiddle = 0.425;  // half its width
constexpr double kFar = 5;

inline double in_middle(double off) {
  return off * ratio(kMiddleAbove, kMiddleBelow, 0.180625 - off * off);
}

// Of the tail on the other side for q > ½, so that nothing is lost to rounding.
inline double root_of_tail(double q) { return std::sqrt(-portable_log(q < 0.5 ? q : 1 - q)); }

inline double in_tail(double root) { return ratio(kTailAbove, kTailBelow, root - 1.6); }

inline double in_far_tail(double root) { return ratio(kFarAbove, kFarBelow, root - kFar); }

inline double with_side(double z, double q) { return q < 0.5 ? -z : z; }

// Values that are done in one go. One in seven is in a tail: these are put side by side, so that
// each formula is a loop without branches. Far tails hold one in 10¹¹ and get no loop.
constexpr std::size_t kStrip = 512;

struct Tails {
  std::array<double, kStrip> q;
  std::array<std::size_t, kStrip> position;
  std::size_t count = 0;

  void collect(std::span<const double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      q[count] = values[i];
      position[count] = i;
      count += std::abs(values[i] - 0.5) <= kMiddle ? 0 : 1;
    }
  }
};

ESPALIER_VECTORISED
void middle_quantiles(double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = in_middle(values[i] - 0.5);
}

// Roots, and quantiles for those that are not far.
ESPALIER_VECTORISED
void tail_quantiles(const double* q, double* root, double* z, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) root[i] = root_of_tail(q[i]);
  for (std::size_t i = 0; i < count; ++i) z[i] = with_side(in_tail(root[i]), q[i]);
}

void strip_of_quantiles(std::span<double> values) {
  Tails tails;
  tails.collect(values);
  middle_quantiles(values.data(), values.size());
  std::array<double, kStrip> root;
  std::array<double, kStrip> z;
  tail_quantiles(tails.q.data(), root.data(), z.data(), tails.count);
  for (std::size_t i = 0; i < tails.count; ++i) {
    const bool is_far = root[i] > kFar;
    values[tails.position[i]] = is_far ? with_side(in_far_tail(root[i]), tails.q[i]) : z[i];
  }
}

}  // namespace

double portable_normal_quantile(double q) {
  const double off = q - 0.5;
  if (std::abs(off) <= kMiddle) return in_middle(off);
  const double root = root_of_tail(q);
  return with_side(root <= kFar ? in_tail(root) : in_far_tail(root), q);
}

void portable_normal_quantiles(std::span<double> values) {
  for (std::size_t begin = 0; begin < values.size(); begin += kStrip) {
    strip_of_quantiles(values.subspan(begin, std::min(kStrip, values.size() - begin)));
  }
}

}  // namespace espalier
