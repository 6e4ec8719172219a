// SPDX-License-Identifier: Apache-2.0
#include "outlook/believed_curves.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/portable_math.h"
#include "estimation/normal95.h"

namespace espalier {
namespace {

// A loss that is lower by less is as high as it was.
constexpr double kLeastFall = 1e-3;
// Spreads beyond this say nothing but that nothing is known.
constexpr double kWidestNoise = 1;
constexpr double kFlattestJump = 0.01;
constexpr double kSteepestJump = 10;

// The deviation of a lognormal factor whose own deviation, relative to its mean, is this.
double sigma_of(double relative_deviation) {
  return std::min(kWidestNoise,
                  std::sqrt(portable_log(1 + relative_deviation * relative_deviation)));
}

// Of the decreases after so many epochs, relative to their mean; nothing where there is none.
double relative_deviation(const Imagined& imagined, std::size_t epochs) {
  double sum = 0;
  double squares = 0;
  for (const std::vector<double>& way : imagined.ways) {
    const double decrease = imagined.arrival.mean - way[epochs - 1];
    sum += decrease;
    squares += decrease * decrease;
  }
  const auto count = static_cast<double>(imagined.ways.size());
  const double mean = sum / count;
  if (count < 2 || mean <= 0) return 0;
  return std::sqrt(std::max(0.0, squares / count - mean * mean)) / mean;
}

// Epochs until the expected loss is there; all of them if it never is.
std::size_t epochs_until(const Imagined& imagined, double goal) {
  const auto is_there = [&](const LossRange& range) { return range.mean <= goal; };
  const auto found = std::find_if(imagined.losses.begin(), imagined.losses.end(), is_there);
  const auto epochs = static_cast<std::size_t>(found - imagined.losses.begin()) + 1;
  return std::min(epochs, imagined.losses.size());
}

struct Line {
  double add = 0;
  double scale = 1;
};

Line line_through(std::span<const ImaginedJump> points) {
  double weight = 0;
  for (const ImaginedJump& point : points) weight += point.weight;
  double before = 0;
  double after = 0;
  for (const ImaginedJump& point : points) {
    before += point.before * point.weight / weight;
    after += point.after.mean * point.weight / weight;
  }
  double cross = 0;
  double square = 0;
  for (const ImaginedJump& point : points) {
    const double away = point.before - before;
    cross += point.weight / weight * away * (point.after.mean - after);
    square += point.weight / weight * away * away;
  }
  // No change lowers a loss to less than nothing: a line that is steeper than the one to the origin
  // would promise that to whoever changes late.
  const double steepest = std::clamp(after / before, kFlattestJump, kSteepestJump);
  const double scale =
      square > 1e-12 * before * before ? std::clamp(cross / square, kFlattestJump, steepest) : 1;
  return {after - scale * before, scale};
}

std::vector<double> means_of(const Imagined& imagined) {
  std::vector<double> means{imagined.arrival.mean};
  for (const LossRange& range : imagined.losses) means.push_back(range.mean);
  return means;
}

// Epochs until a falling curve is there, with fractions. REQUIRES: it gets there.
double epochs_to(const std::vector<double>& points, double loss) {
  std::size_t after = 0;
  while (points[after] > loss) ++after;
  if (after == 0) return 0;
  return static_cast<double>(after) - (loss - points[after]) / (points[after - 1] - points[after]);
}

// Before its beginning, a curve goes on as it began.
double loss_at(const std::vector<double>& points, double epochs) {
  if (epochs <= 0) return points[0] - epochs * (points[0] - points[1]);
  const auto before = static_cast<std::size_t>(epochs);
  if (before + 1 >= points.size()) return points.back();
  return std::lerp(points[before], points[before + 1], epochs - static_cast<double>(before));
}

double mean_reach(std::span<const ImaginedJump> points) {
  double sum = 0;
  for (const ImaginedJump& point : points) sum += point.after.high - point.after.mean;
  return sum / static_cast<double>(points.size());
}

}  // namespace

CurveRule falling_curve(const std::vector<double>& losses) {
  ESPALIER_CHECK(!losses.empty());
  std::vector<double> points{losses.front()};
  std::size_t lowest = 0;
  for (std::size_t i = 1; i < losses.size() && points.back() > 0; ++i) {
    if (losses[i] > losses[lowest] * (1 - kLeastFall)) continue;
    const double step = (losses[i] - losses[lowest]) / static_cast<double>(i - lowest);
    for (std::size_t k = lowest + 1; k < i; ++k) points.push_back(points.back() + step);
    points.push_back(losses[i]);
    lowest = i;
  }
  // A rule has two points at least.
  if (points.back() <= 0 && points.size() == 1) return {{kLeastFall, 0}};
  if (points.size() == 1) points.push_back(points.front() * (1 - kLeastFall));
  return {std::move(points)};
}

Estimated<CurveRule> curves_of(const Imagined& imagined) {
  std::vector<double> expected{imagined.arrival.mean};
  std::vector<double> robust{imagined.arrival.mean};
  for (const LossRange& range : imagined.losses) {
    expected.push_back(range.mean);
    robust.push_back(std::max(range.high, range.mean));
  }
  return {falling_curve(expected), falling_curve(robust)};
}

std::optional<double> epochs_behind(const Imagined& one, const Imagined& other, double goal) {
  const std::vector<double> mine = falling_curve(means_of(one)).points;
  const std::vector<double> theirs = falling_curve(means_of(other)).points;
  const double common = std::max({goal, mine.back(), theirs.back()});
  if (common >= std::min(mine.front(), theirs.front())) return std::nullopt;
  return epochs_to(mine, common) - epochs_to(theirs, common);
}

double worth_of_arrival(const Imagined& arriving, const Imagined& reference, double goal) {
  const auto behind = epochs_behind(arriving, reference, goal);
  if (!behind) return arriving.arrival.mean;
  return loss_at(falling_curve(means_of(reference)).points, -*behind);
}

Imagined preceded_by(const std::vector<Beginning>& beginnings, const Imagined& curve) {
  std::vector<double> upwards;
  Beginning last{0, curve.arrival.mean};
  for (const Beginning& next : beginnings) {
    if (next.epochs <= last.epochs || next.loss <= last.loss) continue;
    const double step = (next.loss - last.loss) / (next.epochs - last.epochs);
    for (double epoch = std::floor(last.epochs) + 1; epoch <= next.epochs; ++epoch)
      upwards.push_back(last.loss + step * (epoch - last.epochs));
    last = next;
  }
  if (upwards.empty()) return curve;
  const auto certain = [](double loss) { return LossRange{loss, loss, loss}; };
  Imagined whole{.arrival = certain(upwards.back())};
  for (auto loss = upwards.rbegin() + 1; loss != upwards.rend(); ++loss)
    whole.losses.push_back(certain(*loss));
  whole.losses.push_back(certain(curve.arrival.mean));
  whole.losses.insert(whole.losses.end(), curve.losses.begin(), curve.losses.end());
  return whole;
}

NoiseSpec noise_of(const Imagined& imagined, double goal) {
  if (imagined.ways.empty() || imagined.losses.empty()) return {};
  const double whole = sigma_of(relative_deviation(imagined, epochs_until(imagined, goal)));
  const double first = sigma_of(relative_deviation(imagined, 1));
  return {whole, std::sqrt(std::max(0.0, first * first - whole * whole))};
}

JumpBelief jump_of(std::span<const ImaginedJump> imagined) {
  ESPALIER_CHECK(!imagined.empty());
  const Line line = line_through(imagined);
  const double reach = std::max(0.0, mean_reach(imagined));
  JumpBelief belief{{{line.add, line.scale}, {line.add + reach, line.scale}}, 0};
  // As much noise as makes the robust jump the 0.95 quantile of the expected one.
  if (line.add > 0) {
    belief.noise = std::min(kWidestNoise, portable_log(1 + reach / line.add) / kNormal95);
  }
  return belief;
}

}  // namespace espalier
