// SPDX-License-Identifier: Apache-2.0
#include "policies/landing.h"

#include <algorithm>
#include <variant>

#include "core/portable_math.h"
#include "policies/normal_distribution.h"

namespace espalier {
namespace {

// Less than 1e-6 of a normal distribution lies farther out.
constexpr double kFarthest = 5;
// So little luck that no floor is met.
constexpr double kLittleLuck = 0x1p-10;
constexpr double kRootThree = 1.7320508075688772;

double lognormal(double spread, double z) {
  return portable_exp(spread * z - 0.5 * spread * spread);
}

// How many standard deviations ln X is above ln x.
double distance(double spread, double x) { return portable_log(x) / spread + 0.5 * spread; }

// E[max(0, X − x)].
double mean_of_x_above(double spread, double x) {
  if (x <= 0) return 1 - x;
  const double z = distance(spread, x);
  return portable_normal_share_below(spread - z) - x * portable_normal_share_below(-z);
}

}  // namespace

double Landing::share_above(double loss) const {
  if (loss < least) return 1;
  if (slope == 0 || spread == 0) return base + slope > loss ? 1 : 0;
  const double x = (loss - base) / slope;  // X that lands there
  const double below = x <= 0 ? 0 : portable_normal_share_below(distance(spread, x));
  return slope > 0 ? 1 - below : below;
}

double Landing::mean_above(double loss) const {
  if (loss < least) return least - loss + mean_above(least);
  if (slope == 0 || spread == 0) return std::max(0.0, base + slope - loss);
  const double x = (loss - base) / slope;
  if (slope > 0) return slope * mean_of_x_above(spread, x);
  // E[max(0, x − X)] = x − 1 + E[max(0, X − x)].
  return x <= 0 ? 0 : std::max(0.0, -slope * (x - 1 + mean_of_x_above(spread, x)));
}

double Landing::low() const {
  const double x = lognormal(spread, slope > 0 ? -kFarthest : kFarthest);
  return std::max(least, base + slope * x);
}

double Landing::high() const {
  const double x = lognormal(spread, slope > 0 ? kFarthest : -kFarthest);
  return std::max(least, base + slope * x);
}

double unclipped_decrease(const LearningRule& rule, double loss) {
  return (loss - rule.next(1, loss, kLittleLuck)) / kLittleLuck;
}

double least_after(const LearningRule& rule, double loss) {
  if (const auto* power = std::get_if<PowerRule>(&rule.shape()))
    return std::min(loss, power->floor);
  if (const auto* curve = std::get_if<CurveRule>(&rule.shape()))
    return std::min(loss, curve->points.back());
  return 0;
}

Landing epoch_landing(const LearningRule& rule, double loss, double luck, double spread) {
  return {loss, -luck * unclipped_decrease(rule, loss), spread, least_after(rule, loss)};
}

KnotWeights spread_over(const LossGrid& grid, const Landing& landing) {
  const std::size_t first = grid.find(landing.low()).cell;
  const std::size_t last = grid.find(landing.high()).cell + 1;
  KnotWeights result{first, {}};
  // The mean share of a cell that lies below the landing falls from cell to cell; a knot's weight
  // is by how much.
  double share = first == 0 ? landing.share_above(grid.knot(0)) : 1;
  double above = landing.mean_above(grid.knot(first));
  for (std::size_t cell = first; cell < last; ++cell) {
    const double above_next = landing.mean_above(grid.knot(cell + 1));
    const double next =
        std::clamp((above - above_next) / (grid.knot(cell + 1) - grid.knot(cell)), 0.0, share);
    result.weights.push_back(share - next);
    share = next;
    above = above_next;
  }
  result.weights.push_back(share);
  return result;
}

std::vector<WeightedJump> weighted_jumps(const Jump& jump, double spread) {
  if (spread == 0 || jump.add == 0) return {{jump, 1}};
  std::vector<WeightedJump> jumps;
  for (const double z : {-kRootThree, 0.0, kRootThree})
    jumps.push_back({{jump.add * lognormal(spread, z), jump.scale}, z == 0 ? 2.0 / 3 : 1.0 / 6});
  return jumps;
}

JumpLanding landing_of(const LossGrid& grid, const WeightedJump& jump, double loss) {
  const LossGrid::Spot spot = grid.find(jump.jump.apply(loss));
  const double share = std::max(0.0, spot.share);
  return {spot.cell, static_cast<float>(jump.weight * (1 - share)),
          static_cast<float>(jump.weight * share)};
}

}  // namespace espalier
