// SPDX-License-Identifier: Apache-2.0
#include "estimation/lane_loops.h"

#include <algorithm>

#include "estimation/lane_math.h"
#include "estimation/network_inputs.h"
#include "realisations/vectorised.h"

namespace espalier {
namespace {

// Beyond these powers of two, both functions are within 1e-7 of where they end; within them, no
// product of their denominators overflows.
constexpr float kSigmoidEnd = 25;
constexpr float kTanhEnd = 26;

std::size_t rounded_up(std::size_t rows) {
  return (rows + kRowsAtOnce - 1) / kRowsAtOnce * kRowsAtOnce;
}

}  // namespace

LaneLayer::LaneLayer(std::span<const Tensor* const> parts, const Tensor& bias)
    : bias_(rounded_up(bias.values.size())) {
  std::ranges::copy(bias.values, bias_.begin());
  for (const Tensor* part : parts) inputs_ += static_cast<std::size_t>(part->shape.at(1));
  weights_.resize(bias_.size() * inputs_);
  std::size_t before = 0;
  for (const Tensor* part : parts) {
    const auto columns = static_cast<std::size_t>(part->shape.at(1));
    for (std::size_t i = 0; i < part->values.size(); ++i) {
      const std::size_t row = i / columns;
      const std::size_t column = before + i % columns;
      const std::size_t group = row / kRowsAtOnce * inputs_ + column;
      weights_[group * kRowsAtOnce + row % kRowsAtOnce] = part->values[i];
    }
    before += columns;
  }
}

LaneLayer lane_layer(const Tensors& weights, const std::string& name) {
  const std::array parts{&weights.at(name + ".weight")};
  return {parts, weights.at(name + ".bias")};
}

ESPALIER_VECTORISED
void apply_layer(const LaneLayer& layer, const LaneRow* in, LaneRow* out) {
  const std::size_t inputs = layer.inputs();
  const std::size_t outputs = layer.outputs();
  const float* weight = layer.weights();
  const float* bias = layer.bias();
  for (std::size_t row = 0; row < outputs; row += kRowsAtOnce) {
    Lanes sums[kRowsAtOnce];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRowsAtOnce; ++r) sums[r] = Lanes{} + bias[row + r];
    for (std::size_t i = 0; i < inputs; ++i, weight += kRowsAtOnce) {
      const Lanes x = load(in[i]);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < kRowsAtOnce; ++r) sums[r] += x * weight[r];
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRowsAtOnce; ++r) store(out[row + r], sums[r]);
  }
}

ESPALIER_VECTORISED
void apply_relu(LaneRow* rows, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) store(rows[i], at_least(load(rows[i]), 0));
}

ESPALIER_VECTORISED
void apply_softplus(LaneRow* rows, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Lanes x = load(rows[i]);
    const Lanes positive = at_least(x, 0);
    const Lanes size = at_most(positive + positive - x, 80);
    store(rows[i], positive + log_of_one_plus(power_of_two(size * kSigmoidGateScale)));
  }
}

ESPALIER_VECTORISED
void standardise(LaneRow* rows, std::span<const float> mean, std::span<const float> deviation) {
  const float* middle = mean.data();
  const float* width = deviation.data();
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const Lanes x = (load(rows[i]) - middle[i]) / width[i];
    store(rows[i], within(x, kFarthestInput));
  }
}

// With σ(z) = 1 / (1 + e⁻ᶻ) and tanh z = (1 − e⁻²ᶻ) / (1 + e⁻²ᶻ), all on one denominator: two slow
// divisions instead of five. In two passes: the shorter the body of a loop, the more of its rounds
// a processor has under way at once.
ESPALIER_VECTORISED
void apply_gates(const LaneRow* gates, LaneRow* cell, LaneRow* hidden, std::size_t units) {
  for (std::size_t i = 0; i < units; ++i) {
    const Lanes in_below = 1.0F + power_of_two(within(load(gates[i]), kSigmoidEnd));
    const Lanes forget_below = 1.0F + power_of_two(within(load(gates[units + i]), kSigmoidEnd));
    const Lanes fresh = power_of_two(within(load(gates[2 * units + i]), kTanhEnd));
    const Lanes below = in_below * (1.0F + fresh);
    const Lanes above = load(cell[i]) * below + (1.0F - fresh) * forget_below;
    store(cell[i], above / (forget_below * below));
  }
  for (std::size_t i = 0; i < units; ++i) {
    const Lanes out_below = 1.0F + power_of_two(within(load(gates[3 * units + i]), kSigmoidEnd));
    const Lanes memory = power_of_two(within(load(cell[i]) * kTanhGateScale, kTanhEnd));
    store(hidden[i], (1.0F - memory) / ((1.0F + memory) * out_below));
  }
}

ESPALIER_VECTORISED
void loss_levels(const double* losses, const double* firsts, double* levels, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) levels[i] = loss_level(losses[i], firsts[i]);
}

ESPALIER_VECTORISED
void log_counts(const double* counts, float* logs, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) logs[i] = log_count(counts[i]);
}

}  // namespace espalier
