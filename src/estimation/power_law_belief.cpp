// SPDX-License-Identifier: Apache-2.0
#include "estimation/power_law_belief.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/infinite.h"
#include "core/portable_math.h"
#include "estimation/normal95.h"

namespace espalier {
namespace {

constexpr std::array kShifts{0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0};
constexpr std::array kPowers{0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0};
// A loss this small, as a share of the largest, is as noisy as one of this size.
constexpr double kLeastLevel = 0.02;

double square(double x) { return x * x; }

// (1 + k/b)^−p: 1 at k = 0.
double decay_at(double k, double b, double p) { return portable_exp(-p * portable_log(1 + k / b)); }

// The 0.95 quantile of Student's distribution, to about 1 % from 3 degrees on.
double student95(double degrees) {
  const double z = kNormal95;
  const double first = (z * z * z + z) / 4;
  const double second = (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / 96;
  return z + first / degrees + second / square(degrees);
}

// Weighted sums of a least squares fit of y = floor + fall·x.
struct Sums {
  double weight = 0;
  double x = 0;
  double xx = 0;
  double y = 0;
  double xy = 0;
  double yy = 0;

  void add(double decay, double loss, double w) {
    weight += w;
    x += w * decay;
    xx += w * decay * decay;
    y += w * loss;
    xy += w * decay * loss;
    yy += w * loss * loss;
  }
  double squares(double floor, double fall) const {
    const double sum = yy + floor * floor * weight + fall * fall * xx + 2 * floor * fall * x -
                       2 * floor * y - 2 * fall * xy;
    return std::max(0.0, sum);
  }
};

struct Prior {
  double floor;
  double floor_precision;
  double fall;
  double fall_precision;

  double squares(double a_floor, double a_fall) const {
    return floor_precision * square(a_floor - floor) + fall_precision * square(a_fall - fall);
  }
};

// Floor and fall with the least squares, neither below 0, and how sure they are.
struct Solution {
  double floor = 0;
  double fall = 0;
  double determinant = 1;  // of the precision
  double floor_floor = 0;  // covariance
  double floor_fall = 0;
  double fall_fall = 0;
};

Solution solve(const Sums& sums, const Prior& prior, double variance) {
  const double a = sums.weight / variance + prior.floor_precision;
  const double b = sums.x / variance;
  const double c = sums.xx / variance + prior.fall_precision;
  const double u = sums.y / variance + prior.floor_precision * prior.floor;
  const double v = sums.xy / variance + prior.fall_precision * prior.fall;
  Solution s;
  s.determinant = a * c - b * b;
  s.floor = (u * c - v * b) / s.determinant;
  s.fall = (v * a - u * b) / s.determinant;
  if (s.fall < 0) s.floor = u / a;
  if (s.floor < 0) s.fall = v / c;
  s.floor = std::max(0.0, s.floor);
  s.fall = std::max(0.0, s.fall);
  s.floor_floor = c / s.determinant;
  s.floor_fall = -b / s.determinant;
  s.fall_fall = a / s.determinant;
  return s;
}

}  // namespace

PowerLawBelief::PowerLawBelief(std::span<const double> losses, const PowerLawPriors& priors)
    : priors_(priors) {
  ESPALIER_CHECK(!losses.empty());
  const std::size_t first = losses.size() - std::min(losses.size(), kLongestFit);
  losses_.assign(losses.begin() + static_cast<std::ptrdiff_t>(first), losses.end());
  scale_ = *std::max_element(losses_.begin(), losses_.end());
  if (scale_ <= 0) return;
  for (double& loss : losses_) loss /= scale_;
  weigh_losses();
  fit_laws(static_cast<double>(first));
  measure_misses();
}

void PowerLawBelief::weigh_losses() {
  const std::size_t last = losses_.size() - 1;
  for (std::size_t j = 0; j <= last; ++j) {
    // With its neighbours, or else a loss would count more for being low by chance.
    const double around = losses_[j] + losses_[j == 0 ? 0 : j - 1] + losses_[std::min(j + 1, last)];
    levels_.push_back(std::max(around / 3, kLeastLevel));
    importance_.push_back(std::pow(priors_.fading, static_cast<double>(last - j)));
    count_ += importance_.back();
  }
}

void PowerLawBelief::fit_laws(double first_k) {
  std::array<double, kShapes> evidence{};
  std::vector<double> decay(losses_.size());
  for (std::size_t i = 0; i < kShapes; ++i) {
    Law& law = laws_[i];
    law.b = first_k + kShifts[i / kPowers.size()];
    law.p = kPowers[i % kPowers.size()];
    for (std::size_t j = 0; j < decay.size(); ++j)
      decay[j] = decay_at(static_cast<double>(j), law.b, law.p);
    fit(law, decay);
    evidence[i] = law.weight;
  }
  weigh(evidence);
}

// Leaves the logarithm of the evidence as the weight.
void PowerLawBelief::fit(Law& law, const std::vector<double>& decay) const {
  Sums sums;
  for (std::size_t j = 0; j < losses_.size(); ++j)
    sums.add(decay[j], losses_[j], importance_[j] / square(levels_[j]));

  const double begin = std::max(losses_.front(), kLeastLevel);
  const Prior prior{.floor = priors_.floor * begin,
                    .floor_precision = 1 / square(priors_.floor_deviation * begin),
                    .fall = (1 - priors_.floor) * begin,
                    .fall_precision = 1 / square(priors_.fall_deviation * begin)};
  const double made_up = priors_.noise_weight * square(priors_.noise);
  law.variance = square(priors_.noise);
  Solution best;
  for (int round = 0; round < 2; ++round) {
    best = solve(sums, prior, law.variance);
    law.variance =
        (made_up + sums.squares(best.floor, best.fall)) / (priors_.noise_weight + count_);
  }
  law.floor = best.floor;
  law.fall = best.fall;
  law.floor_floor = best.floor_floor;
  law.floor_fall = best.floor_fall;
  law.fall_fall = best.fall_fall;
  const double prior_determinant = prior.floor_precision * prior.fall_precision;
  law.weight =
      -0.5 * ((count_ + priors_.noise_weight) * std::log(law.variance) +
              prior.squares(law.floor, law.fall) + std::log(best.determinant / prior_determinant));
}

void PowerLawBelief::weigh(std::array<double, kShapes>& evidence) {
  const double most = *std::max_element(evidence.begin(), evidence.end());
  double sum = 0;
  for (double& value : evidence) sum += value = std::exp(value - most);
  double variance = 0;
  for (std::size_t i = 0; i < kShapes; ++i) {
    laws_[i].weight = evidence[i] / sum;
    variance += laws_[i].weight * laws_[i].variance;
  }
  noise_ = std::sqrt(variance);
}

void PowerLawBelief::measure_misses() {
  double together = priors_.carry * priors_.carry_weight * square(noise_);
  double alone = priors_.carry_weight * square(noise_);
  double previous = 0;
  for (std::size_t j = 0; j < losses_.size(); ++j) {
    last_miss_ = losses_[j] - opinion(static_cast<double>(j)).mean;
    const double miss = last_miss_ / levels_[j];
    together += importance_[j] * miss * previous;
    alone += importance_[j] * miss * miss;
    previous = miss;
  }
  carry_ = std::clamp(together / alone, 0.0, 0.98);
}

PowerLawBelief::Opinion PowerLawBelief::opinion(double k) const {
  double mean = 0;
  double squares = 0;
  for (const Law& law : laws_) {
    if (law.weight < 1e-6) continue;
    const double decay = decay_at(k, law.b, law.p);
    const double value = law.floor + law.fall * decay;
    const double unsure =
        law.floor_floor + 2 * decay * law.floor_fall + decay * decay * law.fall_fall;
    mean += law.weight * value;
    squares += law.weight * (value * value + std::max(0.0, unsure));
  }
  return {mean, std::max(0.0, squares - mean * mean)};
}

std::vector<LossRange> PowerLawBelief::ahead(std::size_t epochs) const {
  std::vector<LossRange> ranges(epochs);
  if (scale_ <= 0) return ranges;
  const double quantile = student95(priors_.noise_weight + static_cast<double>(losses_.size()));
  double lowest = kInfinite;
  double widest = 0;
  for (std::size_t i = 0; i < epochs; ++i) {
    const double h = static_cast<double>(i + 1);
    const Opinion said = opinion(static_cast<double>(losses_.size() + i));
    const double carried = std::pow(carry_, h);
    lowest = std::min(lowest, std::max(0.0, said.mean + carried * last_miss_));
    const double level = std::max(said.mean, kLeastLevel);
    const double noise = square(noise_ * level) * (1 - square(carried) + square(priors_.drift) * h);
    widest = std::max(widest, quantile * std::sqrt(said.variance + noise));
    ranges[i] = {std::max(0.0, lowest - widest) * scale_, lowest * scale_,
                 (lowest + widest) * scale_};
  }
  return ranges;
}

}  // namespace espalier
