// SPDX-License-Identifier: Apache-2.0
#include "realisations/member_loops.h"

#include <algorithm>
#include <array>

#include "core/portable_math.h"
#include "realisations/luck.h"
#include "realisations/vectorised.h"

namespace espalier {
namespace {

// A power takes two passes over this many members, logarithms first. The polynomials are long
// chains of operations that wait for each other: the shorter the body of a loop, the more of its
// rounds a processor has under way at once. In one pass it takes half as long again.
constexpr std::size_t kStrip = 64;

}  // namespace

ESPALIER_VECTORISED
void linear_epoch(std::span<double> losses, std::span<const double> luck, const PowerRule& rule,
                  double factor) {
  double* loss = losses.data();
  const double* chance = luck.data();
  const auto [rate, floor, power] = rule;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const double x = loss[i] - floor;
    const double next = loss[i] - std::min((factor * chance[i]) * (rate * x), x);
    loss[i] = x <= 0 ? loss[i] : next;
  }
}

ESPALIER_VECTORISED
void power_epoch(std::span<double> losses, std::span<const double> luck, const PowerRule& rule,
                 double factor) {
  const auto [rate, floor, power] = rule;
  std::array<double, kStrip> strip;
  double* logs = strip.data();
  for (std::size_t begin = 0; begin < losses.size(); begin += kStrip) {
    const std::size_t count = std::min(kStrip, losses.size() - begin);
    double* loss = losses.data() + begin;
    const double* chance = luck.data() + begin;
    for (std::size_t i = 0; i < count; ++i) logs[i] = portable_log_pow(loss[i] - floor, power);
    for (std::size_t i = 0; i < count; ++i) {
      const double x = loss[i] - floor;
      const double decrease = (factor * chance[i]) * (rate * portable_exp(logs[i]));
      const double next = loss[i] - std::min(decrease, x);
      loss[i] = x <= 0 ? loss[i] : next;
    }
  }
}

ESPALIER_VECTORISED
void apply_jump(std::span<double> losses, std::span<const double> luck, const Jump& jump) {
  double* loss = losses.data();
  const double* chance = luck.data();
  const Jump expected = jump;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    loss[i] = with_luck(expected, chance[i]).apply(loss[i]);
  }
}

ESPALIER_VECTORISED
void multiply_by_lognormal(std::span<double> luck, double sigma, std::span<const double> z) {
  double* factor = luck.data();
  const double* draw = z.data();
  for (std::size_t i = 0; i < luck.size(); ++i) factor[i] *= lognormal(sigma, draw[i]);
}

}  // namespace espalier
