// SPDX-License-Identifier: Apache-2.0
#include "estimation/conformal.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/infinite.h"

namespace espalier {
namespace {

// A range without width is taken for one of this share of its loss.
constexpr double kLeastWidth = 1e-3;
// A bias is believed from so many standard errors on.
constexpr double kBelieved = 2;

double largest(const std::vector<Score>& scores) {
  const auto by_value = [](const Score& a, const Score& b) { return a.value < b.value; };
  return std::max_element(scores.begin(), scores.end(), by_value)->value;
}

struct Move {
  double by = 0;
  bool is_guaranteed = false;
};

// How many independent scores the runs are worth together. If those of a run were independent, the
// shares of its mass beyond a value would differ little from run to run; if they are all alike, the
// shares are 0 or 1. At least one for each run.
double worth_of(std::span<const Judged> judged, const std::vector<Score>& scores, double value) {
  std::map<std::size_t, Score> beyond;  // by run: mass beyond, and all of it
  double sum = 0;
  double all = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    Score& run = beyond[judged[i].run];
    run.mass += scores[i].mass;
    all += scores[i].mass;
    if (!(scores[i].value > value)) continue;
    run.value += scores[i].mass;
    sum += scores[i].mass;
  }
  const double share = sum / all;
  double squares = 0;
  for (const auto& [run, mass] : beyond) {
    squares += (mass.value - share * mass.mass) * (mass.value - share * mass.mass);
  }
  const auto runs = static_cast<double>(beyond.size());
  // Mass is 1 for each run on average.
  return squares > 0 ? std::max(runs, runs * runs * share * (1 - share) / squares) : runs;
}

// Up to which there is so much of the mass that a further score is within `level` on average: the
// rank level·(n + 1) of n independent scores.
Move move_for(std::span<const Judged> judged, const std::vector<Score>& scores, double level) {
  double mass = 0;
  for (const Score& score : scores) mass += score.mass;
  const auto runs = static_cast<double>(count_runs(judged));
  const bool is_guaranteed = level * (runs + 1) <= runs * (1 + 1e-12);
  const double rough = quantile_by_mass(scores, level * mass).value_or(largest(scores));
  const double worth = worth_of(judged, scores, rough);
  const auto found = quantile_by_mass(scores, level * (1 + 1 / worth) * mass);
  return {found.value_or(largest(scores)), is_guaranteed};
}

// Sums of a prediction's errors, over all and within each run.
struct ErrorSums {
  double mass = 0;
  double error = 0;
  std::map<std::size_t, Score> by_run{};  // sum of errors, and mass

  void add(std::size_t run, double value, double its_mass) {
    mass += its_mass;
    error += its_mass * value;
    by_run[run].value += its_mass * value;
    by_run[run].mass += its_mass;
  }
};

// The mean error, unless it may well be chance. Its standard error follows from the runs' sums:
// errors within a run are not independent.
double believable(const ErrorSums& sums) {
  const double mean = sums.error / sums.mass;
  double squares = 0;
  for (const auto& [run, sum] : sums.by_run) {
    const double deviation = sum.value - sum.mass * mean;
    squares += deviation * deviation;
  }
  return std::abs(mean) > kBelieved * std::sqrt(squares) / sums.mass ? mean : 0;
}

double total_length(std::span<const Judged> judged, const Adjustment& adjustment) {
  double length = 0;
  for (const Judged& one : judged) {
    const LossRange range = adjusted(one.said, adjustment);
    length += range.high - range.low;
  }
  return length;
}

}  // namespace

LossRange in_order(LossRange range) {
  if (range.low > range.high) std::swap(range.low, range.high);
  range.mean = std::clamp(range.mean, range.low, range.high);
  return range;
}

LossRange widened(const LossRange& range, double times) {
  return {std::max(0.0, range.mean - times * (range.mean - range.low)), range.mean,
          range.mean + times * (range.high - range.mean)};
}

double unit_of(const LossRange& range, Stretching stretch) {
  if (stretch == Stretching::Added) return 1;
  const double least = kLeastWidth * std::max(std::abs(range.low), std::abs(range.high));
  return std::max({range.high - range.low, least, 1e-12});
}

Misses misses_of(std::span<const Judged> judged, std::span<const double> mass, Stretching stretch) {
  ErrorSums sums;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const LossRange said = in_order(judged[i].said);
    sums.add(judged[i].run, (judged[i].came - said.mean) / unit_of(said, stretch), mass[i]);
  }
  Misses misses{.shift = judged.empty() ? 0 : believable(sums)};
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const LossRange said = in_order(judged[i].said);
    const double unit = unit_of(said, stretch);
    const double came = judged[i].came;
    const bool is_above = came > said.mean + misses.shift * unit;
    misses.below.push_back({is_above ? -kInfinite : (said.low - came) / unit, mass[i]});
    misses.above.push_back({is_above ? (came - said.high) / unit : -kInfinite, mass[i]});
  }
  return misses;
}

Adjustment calibrate(std::span<const Judged> judged, const ConformalOptions& options) {
  Adjustment adjustment{.stretch = options.stretch};
  if (judged.empty()) return adjustment;
  const Misses misses = misses_of(judged, masses(judged, options.average), options.stretch);
  adjustment.runs = count_runs(judged);
  const Move down = move_for(judged, misses.below, 1 - options.miss);
  const Move up = move_for(judged, misses.above, 1 - options.miss);
  adjustment.down = down.by;
  adjustment.shift = misses.shift;
  adjustment.up = up.by;
  adjustment.is_guaranteed = down.is_guaranteed && up.is_guaranteed;
  return adjustment;
}

Adjustment calibrate_shortest(std::span<const Judged> judged, ConformalOptions options) {
  options.stretch = Stretching::Added;
  const Adjustment added = calibrate(judged, options);
  options.stretch = Stretching::Scaled;
  const Adjustment scaled = calibrate(judged, options);
  return total_length(judged, scaled) < total_length(judged, added) ? scaled : added;
}

LossRange adjusted(const LossRange& range, const Adjustment& adjustment) {
  const LossRange said = in_order(range);
  const double unit = unit_of(said, adjustment.stretch);
  const double mean = std::max(0.0, said.mean + adjustment.shift * unit);
  return {.low = std::clamp(said.low - adjustment.down * unit, 0.0, mean),
          .mean = mean,
          .high = std::max(mean, said.high + adjustment.up * unit)};
}

}  // namespace espalier
