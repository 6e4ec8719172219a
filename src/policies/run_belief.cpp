// SPDX-License-Identifier: Apache-2.0
#include "policies/run_belief.h"

#include <algorithm>
#include <cmath>

#include "core/portable_math.h"
#include "policies/landing.h"
#include "policies/normal_distribution.h"

namespace espalier {
namespace {

// Closer to the floor than this, the decrease may have been cut off.
constexpr double kAtFloor = 1e-9;

}  // namespace

void RunBelief::observe(const Problem& problem, const State& before, const State& after) {
  const Training& training = problem.training(after.placement);
  const auto change = problem.change(before.placement, after.placement);
  if (training.noise.run == 0 || variance_ == 0 || !change || change->jump_noise != 0) return;
  const LearningRule& rule = training.rule.expected;
  const double loss = change->jump.expected.apply(before.loss.value);
  const double decrease = loss - after.loss.value;
  const double expected = unclipped_decrease(rule, loss);
  const double least = least_after(rule, loss);
  if (!(decrease > 0) || !(expected > 0) || after.loss.value <= least + kAtFloor * loss) return;
  const NoiseSpec& noise = training.noise;
  learn(
      portable_log(decrease / expected) + 0.5 * (noise.run * noise.run + noise.epoch * noise.epoch),
      noise);
}

void RunBelief::learn(double value, const NoiseSpec& noise) {
  // One formula for all: an epoch without noise of its own leaves no variance.
  const double gain =
      noise.run * variance_ / (noise.run * noise.run * variance_ + noise.epoch * noise.epoch);
  mean_ += gain * (value - noise.run * mean_);
  variance_ = noise.epoch == 0 ? 0 : variance_ * (1 - gain * noise.run);
}

PerLuck<double> RunBelief::weights(const PerLuck<double>& nodes) const {
  // As in spread_over(): the mean share of a cell that lies below A falls from cell to cell.
  PerLuck<double> weights{};
  const double deviation = std::sqrt(variance_);
  const double precision = deviation > 0 ? 1 / deviation : 0;
  const auto above = [&](double node) {
    return deviation > 0 ? deviation * portable_normal_mean_above((node - mean_) * precision)
                         : std::max(0.0, mean_ - node);
  };
  double share = 1;
  double before = above(nodes[0]);
  for (std::size_t i = 0; i + 1 < kLuckNodes; ++i) {
    const double width = nodes[i + 1] - nodes[i];
    const double after = above(nodes[i + 1]);
    const double next = width > 0 ? std::clamp((before - after) / width, 0.0, share) : 0.0;
    weights[i] = share - next;
    share = next;
    before = after;
  }
  weights[kLuckNodes - 1] = share;
  return weights;
}

}  // namespace espalier
