// SPDX-License-Identifier: Apache-2.0
#include "estimation/conformal.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/infinite.h"
#include "estimation/normal95.h"

namespace espalier {
namespace {

// A range without width is taken for one of this share of its loss.
constexpr double kLeastWidth = 1e-3;
// A bias is believed from so many standard errors on, if they are known well.
constexpr double kBelieved = 2;

double largest(const std::vector<Score>& scores) {
  const auto by_value = [](const Score& a, const Score& b) { return a.value < b.value; };
  return std::max_element(scores.begin(), scores.end(), by_value)->value;
}

struct Move {
  double by = 0;
  bool is_guaranteed = false;
};

// What scores are taken to have in common: their run, or their family.
using Common = std::size_t (*)(const Judged&);
std::size_t run_number(const Judged& one) { return one.run; }
std::size_t family_number(const Judged& one) { return one.independent(); }

// How many independent scores there are in all. If those of a run, or of a family, were
// independent, the shares of its mass beyond a value would differ little from run to run; if they
// are all alike, the shares are 0 or 1. At least one for each.
double worth_of(std::span<const Judged> judged, const std::vector<Score>& scores, double value,
                Common common) {
  std::map<std::size_t, Score> beyond;  // mass beyond, and all of it
  double sum = 0;
  double all = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    Score& part = beyond[common(judged[i])];
    part.mass += scores[i].mass;
    all += scores[i].mass;
    if (!(scores[i].value > value)) continue;
    part.value += scores[i].mass;
    sum += scores[i].mass;
  }
  const double share = sum / all;
  double squares = 0;
  for (const auto& [part, mass] : beyond) {
    squares += (mass.value - share * mass.mass) * (mass.value - share * mass.mass);
  }
  const auto count = static_cast<double>(beyond.size());
  if (squares <= 0 || count < 2) return count;
  // The share itself was made to fit.
  squares *= count / (count - 1);
  return std::max(count, all * all * share * (1 - share) / squares);
}

// Up to which there is so much of the mass that a further score is within `level` on average: the
// rank level·(n + 1) of n independent scores.
Move move_for(std::span<const Judged> judged, const std::vector<Score>& scores, double level) {
  double mass = 0;
  for (const Score& score : scores) mass += score.mass;
  const auto count = static_cast<double>(count_independent(judged));
  const bool is_guaranteed = level * (count + 1) <= count * (1 + 1e-12);
  const double rough = quantile_by_mass(scores, level * mass).value_or(largest(scores));
  // Few families may be alike by chance, and few runs of each as well.
  const double worth = std::min(worth_of(judged, scores, rough, run_number),
                                worth_of(judged, scores, rough, family_number));
  const auto found = quantile_between(scores, level * (1 + 1 / worth) * mass);
  return {found.value_or(largest(scores)), is_guaranteed};
}

// Sums of a prediction's errors, over all and within each run or family.
struct ErrorSums {
  double mass = 0;
  double error = 0;
  std::map<std::size_t, Score> parts{};  // sum of errors, and mass

  void add(std::size_t part, double value, double its_mass) {
    mass += its_mass;
    error += its_mass * value;
    parts[part].value += its_mass * value;
    parts[part].mass += its_mass;
  }
  double mean() const { return error / mass; }
  // Errors within a part are not independent.
  bool may_be_chance() const {
    const auto count = static_cast<double>(parts.size());
    if (count < 2) return true;
    double squares = 0;
    for (const auto& [part, sum] : parts) {
      const double deviation = sum.value - sum.mass * mean();
      squares += deviation * deviation;
    }
    const double standard_error = std::sqrt(squares * count / (count - 1)) / mass;
    return std::abs(mean()) <= student(kBelieved, count - 1) * standard_error;
  }
};

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
  ErrorSums by_run;
  ErrorSums by_family;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const LossRange said = in_order(judged[i].said);
    const double error = (judged[i].came - said.mean) / unit_of(said, stretch);
    by_run.add(run_number(judged[i]), error, mass[i]);
    by_family.add(family_number(judged[i]), error, mass[i]);
  }
  Misses misses;
  if (!by_run.may_be_chance() && !by_family.may_be_chance()) misses.shift = by_run.mean();
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
