// SPDX-License-Identifier: Apache-2.0
#include "realisations/rng.h"

#include <array>
#include <cmath>

#include "core/portable_math.h"

namespace espalier {
namespace {

// The finaliser of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

using Coefficients = std::array<double, 8>;

double ratio(const Coefficients& above, const Coefficients& below, double x) {
  double top = 0;
  double bottom = 0;
  for (std::size_t i = above.size(); i-- > 0;) {
    top = top * x + above[i];
    bottom = bottom * x + below[i];
  }
  return top / bottom;
}

// Wichura's algorithm AS 241 (1988): the middle, the tails, the far tails.
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

}  // namespace

std::uint64_t CounterRng::bits(const DrawKey& key) const {
  return mix(mix(mix(mix(seed_) ^ key.run) ^ key.stream) ^ key.index);
}

double CounterRng::uniform(const DrawKey& key) const {
  return (static_cast<double>(bits(key) >> 11U) + 0.5) * 0x1p-53;
}

double CounterRng::normal(const DrawKey& key) const {
  return portable_normal_quantile(uniform(key));
}

double portable_normal_quantile(double q) {
  const double off = q - 0.5;
  if (std::abs(off) <= 0.425) {
    return off * ratio(kMiddleAbove, kMiddleBelow, 0.180625 - off * off);
  }
  const double r = std::sqrt(-portable_log(off < 0 ? q : 1 - q));
  const double z =
      r <= 5 ? ratio(kTailAbove, kTailBelow, r - 1.6) : ratio(kFarAbove, kFarBelow, r - 5);
  return off < 0 ? -z : z;
}

}  // namespace espalier
