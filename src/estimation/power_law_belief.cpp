// SPDX-License-Identifier: Apache-2.0
#include "estimation/power_law_belief.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/infinite.h"
#include "estimation/normal95.h"

namespace espalier {
namespace {

// A loss this small, as a share of the largest, is as noisy as one of this size.
constexpr double kLeastLevel = 0.02;
// Laws that explain the losses this badly are not heard.
constexpr double kLeastWeight = 1e-6;

double square(double x) { return x * x; }

}  // namespace

PowerLawBelief::PowerLawBelief(std::span<const double> losses, const PowerLawPriors& priors)
    : priors_(priors) {
  ESPALIER_CHECK(!losses.empty());
  const std::size_t first = losses.size() - std::min(losses.size(), kLongestFit);
  start_ = static_cast<double>(first);
  losses_.assign(losses.begin() + static_cast<std::ptrdiff_t>(first), losses.end());
  scale_ = *std::max_element(losses_.begin(), losses_.end());
  if (scale_ <= 0) return;
  for (double& loss : losses_) loss /= scale_;
  weigh_losses();
  fit_laws();
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

void PowerLawBelief::fit_laws() {
  std::array<LineSums, kShapes> sums{};
  for (std::size_t j = 0; j < losses_.size(); ++j) {
    values_.push_back(shape_values(start_, static_cast<double>(j)));
    const double weight = importance_[j] / square(levels_[j]);
    for (std::size_t shape = 0; shape < kShapes; ++shape)
      sums[shape].add(values_[j][shape], losses_[j], weight);
  }
  for (std::size_t shape = 0; shape < kShapes; ++shape)
    laws_[shape] = fit(sums[shape], priors_.shapes[shape]);
  weigh_laws();
}

PowerLawBelief::Law PowerLawBelief::fit(const LineSums& sums, double likelihood) const {
  const double begin = std::max(losses_.front(), kLeastLevel);
  const LinePrior prior{.floor = priors_.floor * begin,
                        .floor_precision = 1 / square(priors_.floor_deviation * begin),
                        .fall = (1 - priors_.floor) * begin,
                        .fall_precision = 1 / square(priors_.fall_deviation * begin)};
  const double made_up = priors_.noise_weight * square(priors_.noise);
  const double weight = priors_.noise_weight + count_;
  Law law{.variance = square(priors_.noise)};
  for (int round = 0; round < 2; ++round) {
    law.line = fit_line(sums, prior, law.variance);
    law.variance = (made_up + sums.squares(law.line.floor, law.line.fall)) / weight;
  }
  const double surprise = prior.squares(law.line.floor, law.line.fall);
  const double precision = law.line.determinant / (prior.floor_precision * prior.fall_precision);
  law.evidence = std::log(likelihood) -
                 0.5 * (weight * std::log(law.variance) + surprise + std::log(precision));
  return law;
}

void PowerLawBelief::weigh_laws() {
  double most = -kInfinite;
  for (const Law& law : laws_) most = std::max(most, law.evidence);
  double sum = 0;
  for (Law& law : laws_) sum += law.weight = std::exp(law.evidence - most);
  double variance = 0;
  for (Law& law : laws_) {
    law.weight /= sum;
    variance += law.weight * law.variance;
  }
  noise_ = std::sqrt(variance);
}

void PowerLawBelief::measure_misses() {
  double together = priors_.carry * priors_.carry_weight * square(noise_);
  double alone = priors_.carry_weight * square(noise_);
  double previous = 0;
  for (std::size_t j = 0; j < losses_.size(); ++j) {
    last_miss_ = losses_[j] - opinion(values_[j]).mean;
    const double miss = last_miss_ / levels_[j];
    together += importance_[j] * miss * previous;
    alone += importance_[j] * miss * miss;
    previous = miss;
  }
  carry_ = std::clamp(together / alone, 0.0, 0.98);
}

PowerLawBelief::Opinion PowerLawBelief::opinion(const ShapeValues& values) const {
  double mean = 0;
  double squares = 0;
  for (std::size_t shape = 0; shape < kShapes; ++shape) {
    const Law& law = laws_[shape];
    if (law.weight < kLeastWeight) continue;
    const double value = law.line.floor + law.line.fall * values[shape];
    mean += law.weight * value;
    squares += law.weight * (value * value + law.line.variance_at(values[shape]));
  }
  return {mean, std::max(0.0, squares - mean * mean)};
}

PowerLawLesson PowerLawBelief::lesson() const {
  PowerLawLesson lesson{.noise = noise_};
  const double first = std::max(losses_.front(), kLeastLevel);
  double squares = 0;
  for (std::size_t shape = 0; shape < kShapes; ++shape) {
    const Law& law = laws_[shape];
    const double floor = law.line.floor / first;
    lesson.shapes[shape] = law.weight;
    lesson.floor += law.weight * floor;
    squares += law.weight * (square(floor) + law.line.floor_variance / square(first));
  }
  lesson.floor_variance = std::max(0.0, squares - square(lesson.floor));
  return lesson;
}

std::vector<LossRange> PowerLawBelief::ahead(std::size_t epochs) const {
  std::vector<LossRange> ranges(epochs);
  if (scale_ <= 0) return ranges;
  const double quantile =
      student(kNormal95, priors_.noise_weight + static_cast<double>(losses_.size()));
  double lowest = kInfinite;
  double widest = 0;
  for (std::size_t i = 0; i < epochs; ++i) {
    const double h = static_cast<double>(i + 1);
    const Opinion said = opinion(shape_values(start_, static_cast<double>(losses_.size() + i)));
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
