// SPDX-License-Identifier: Apache-2.0
#include "estimation/kinship.h"

#include <algorithm>

#include "core/infinite.h"
#include "core/portable_math.h"

namespace espalier {
namespace {

// Conditions differ by a deviation if the pruned share differs by as much, or the logarithm of the
// samples does: under the present ones, and under those before.
constexpr double kPrune = 0.04;
constexpr double kSamples = 0.15;
constexpr double kPruneBefore = 0.1;
constexpr double kSamplesBefore = 0.5;
// Half of the squared distance, in deviations. Further away nobody is kin.
constexpr double kTooFar = 6;
// As many as began exactly alike.
constexpr double kEnough = 1.5;
// Slopes are believed as if offsets spread by so much less, in squared deviations.
constexpr double kShrinking = 0.1;
// From so many losses at the end of a stage it is seen how it would have gone on.
constexpr std::size_t kTail = 10;

double square(double value) { return value * value; }

double half_square_between(const Conditions& a, const Conditions& b, double prune, double samples) {
  if (a.classes != b.classes) return kInfinite;
  const double ratio = (static_cast<double>(a.samples) + 1) / (static_cast<double>(b.samples) + 1);
  return (square((a.prune - b.prune) / prune) + square(portable_log(ratio) / samples)) / 2;
}

double half_square_between(const StageBeginning& a, const StageBeginning& b,
                           const KinshipScales& scales) {
  if (a.before.has_value() != b.before.has_value()) return kInfinite;
  double sum = half_square_between(a.now, b.now, kPrune, kSamples);
  if (!a.before || sum > kTooFar) return sum;
  sum += half_square_between(*a.before, *b.before, kPruneBefore, kSamplesBefore);
  return sum +
         (square((a.loss - b.loss) / scales.loss) + square((a.epochs - b.epochs) / scales.epochs)) /
             2;
}

// Between two beginnings, in deviations.
struct Offset {
  double loss = 0;
  double epochs = 0;
};

Offset offset_of(const StageBeginning& one, const StageBeginning& from,
                 const KinshipScales& scales) {
  return {(one.loss - from.loss) / scales.loss, (one.epochs - from.epochs) / scales.epochs};
}

double product(const Offset& a, const Offset& b) { return a.loss * b.loss + a.epochs * b.epochs; }

// Sums of squares and products; positive definite.
struct Spread {
  double loss;
  double both;
  double epochs;

  void add(const Offset& off, double weight) {
    loss += weight * off.loss * off.loss;
    both += weight * off.loss * off.epochs;
    epochs += weight * off.epochs * off.epochs;
  }
  Offset solve(const Offset& right) const {
    const double determinant = loss * epochs - both * both;
    return {(right.loss * epochs - right.epochs * both) / determinant,
            (right.epochs * loss - right.loss * both) / determinant};
  }
};

// How fast a stage was falling in the end, per logarithm of its epochs.
double slope_at_end(const std::vector<double>& losses) {
  const std::size_t last = losses.size() - 1;
  const std::size_t first = last - std::min(last, kTail);
  const double ratio = static_cast<double>(last + 1) / static_cast<double>(first + 1);
  return std::min(0.0, (losses[last] - losses[first]) / portable_log(ratio));
}

// Adds a stage's curve, times its weight.
void add(const Kinsman& one, std::vector<double>& curve) {
  const std::vector<double>& losses = one.stage->losses;
  const std::size_t known = std::min(losses.size(), curve.size());
  for (std::size_t i = 0; i < known; ++i) curve[i] += one.weight * losses[i];
  if (known == curve.size()) return;
  const double slope = slope_at_end(losses);
  const auto count = static_cast<double>(losses.size());
  for (std::size_t i = known; i < curve.size(); ++i) {
    const double longer = portable_log(static_cast<double>(i + 1) / count);
    curve[i] += one.weight * (losses.back() + slope * longer);
  }
}

}  // namespace

double log_loss(double loss) { return portable_log(std::max(loss, 1e-12)); }

Kin kin_of(const StageBeginning& beginning, std::span<const KindredStage> stages,
           const KinshipScales& scales) {
  Kin kin;
  for (const KindredStage& stage : stages) {
    const double distance = half_square_between(beginning, stage.beginning, scales);
    if (distance <= kTooFar) kin.push_back({&stage, portable_exp(-distance)});
  }
  return kin;
}

bool is_enough(const Kin& kin) {
  double all = 0;
  for (const Kinsman& one : kin) all += one.weight;
  return all >= kEnough;
}

Kin leaned(Kin kin, const StageBeginning& beginning, const KinshipScales& scales) {
  double all = 0;
  for (const Kinsman& one : kin) all += one.weight;
  Offset mean;
  Spread spread{kShrinking, 0, kShrinking};
  for (Kinsman& one : kin) {
    one.weight /= all;
    const Offset off = offset_of(one.stage->beginning, beginning, scales);
    mean.loss += one.weight * off.loss;
    mean.epochs += one.weight * off.epochs;
    spread.add(off, one.weight);
  }
  const Offset lever = spread.solve(mean);
  const double left = 1 - product(lever, mean);
  for (Kinsman& one : kin) {
    const Offset off = offset_of(one.stage->beginning, beginning, scales);
    one.weight *= (1 - product(lever, off)) / left;
  }
  return kin;
}

std::vector<double> mean_curve(const Kin& kin, std::size_t count) {
  std::vector<double> curve(count);
  for (const Kinsman& one : kin) add(one, curve);
  return curve;
}

}  // namespace espalier
