// SPDX-License-Identifier: Apache-2.0
#include "estimation/cross_conformal.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace espalier {
namespace {

constexpr double kRoundedMass = 1e-9;
constexpr int kHalvings = 60;

std::vector<Judged> all_of(std::span<const std::vector<Judged>> folds) {
  std::vector<Judged> all;
  for (const auto& fold : folds) all.insert(all.end(), fold.begin(), fold.end());
  return all;
}

LossRange average(std::span<const LossRange> said) {
  LossRange sum;
  const double share = 1 / static_cast<double>(said.size());
  for (const LossRange& one : said) {
    const LossRange ordered = in_order(one);
    sum.low += share * ordered.low;
    sum.mean += share * ordered.mean;
    sum.high += share * ordered.high;
  }
  return in_order(sum);
}

}  // namespace

CrossConformal::CrossConformal(std::span<const std::vector<Judged>> folds,
                               const ConformalOptions& options)
    : options_(options) {
  const std::vector<Judged> all = all_of(folds);
  const std::vector<double> mass = masses(all, options.average);
  auto rest = std::span<const double>(mass);
  for (const auto& fold : folds) {
    const Misses misses = misses_of(fold, rest.first(fold.size()), options.stretch);
    rest = rest.subspan(fold.size());
    shifts_.push_back(misses.shift);
    above_.push_back(sorted(misses.above));
    below_.push_back(sorted(misses.below));
  }
  mass_ = static_cast<double>(count_runs(all));
  // With too few runs: all that was ever missed.
  needed_ = std::min(mass_, (1 - options.miss) * (mass_ + 1));
}

bool CrossConformal::is_guaranteed() const {
  return (1 - options_.miss) * (mass_ + 1) <= mass_ + kRoundedMass;
}

CrossConformal::Side CrossConformal::sorted(std::vector<Score> scores) {
  std::sort(scores.begin(), scores.end(),
            [](const Score& a, const Score& b) { return a.value < b.value; });
  Side side;
  double sum = 0;
  for (const Score& score : scores) {
    side.values.push_back(score.value);
    side.mass_up_to.push_back(sum += score.mass);
  }
  return side;
}

double CrossConformal::Side::mass_within(double value) const {
  const auto end = std::upper_bound(values.begin(), values.end(), value);
  return end == values.begin() ? 0 : mass_up_to[static_cast<std::size_t>(end - values.begin()) - 1];
}

bool CrossConformal::covers(double value, std::span<const Side> sides,
                            std::span<const End> ends) const {
  double mass = 0;
  for (std::size_t fold = 0; fold < sides.size(); ++fold)
    mass += sides[fold].mass_within((value - ends[fold].at) / ends[fold].unit);
  return mass >= needed_ - kRoundedMass;
}

double CrossConformal::outermost(double inside, std::span<const Side> sides,
                                 std::span<const End> ends) const {
  double outside = inside;
  for (std::size_t fold = 0; fold < sides.size(); ++fold) {
    if (sides[fold].values.empty()) continue;
    outside = std::max(outside, ends[fold].at + ends[fold].unit * sides[fold].values.back());
  }
  if (covers(inside, sides, ends)) return inside;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = std::midpoint(inside, outside);
    (covers(middle, sides, ends) ? outside : inside) = middle;
  }
  return outside;
}

LossRange CrossConformal::range(std::span<const LossRange> said) const {
  ESPALIER_CHECK(said.size() == above_.size() && !said.empty());
  if (mass_ == 0) return average(said);
  std::vector<End> highs;
  std::vector<End> lows;
  double mean = 0;
  for (std::size_t fold = 0; fold < said.size(); ++fold) {
    const LossRange ordered = in_order(said[fold]);
    const double unit = unit_of(ordered, options_.stretch);
    highs.push_back({ordered.high, unit});
    lows.push_back({-ordered.low, unit});
    mean += (ordered.mean + shifts_[fold] * unit) / static_cast<double>(said.size());
  }
  mean = std::max(0.0, mean);
  return {.low = std::max(0.0, -outermost(-mean, below_, lows)),
          .mean = mean,
          .high = outermost(mean, above_, highs)};
}

CrossConformalEstimator::CrossConformalEstimator(Members members, Calibrations calibrations)
    : members_(std::move(members)), calibrations_(std::move(calibrations)) {
  ESPALIER_CHECK(!members_.empty() && calibrations_.size() == kEpochsAhead);
}

std::vector<Forecast> CrossConformalEstimator::forecast(std::span<const History> histories) const {
  std::vector<std::vector<Forecast>> said;
  for (const auto& member : members_) said.push_back(member->forecast(histories));
  std::vector<Forecast> forecasts(histories.size());
  std::vector<LossRange> opinions(members_.size());
  for (std::size_t i = 0; i < histories.size(); ++i) {
    for (std::size_t h = 0; h < kEpochsAhead; ++h) {
      for (std::size_t m = 0; m < said.size(); ++m) opinions[m] = said[m][i][h];
      forecasts[i][h] = calibrations_[h].range(opinions);
    }
  }
  return forecasts;
}

}  // namespace espalier
