// SPDX-License-Identifier: Apache-2.0
// The loops of a network that computes for several lanes at once: what is one number in a textbook
// is one row of kLanes numbers here. Same bits on every machine: see realisations/vectorised.h.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "networks/tensors.h"

namespace espalier {

inline constexpr std::size_t kLanes = 8;
// So many outputs of a layer are computed side by side.
inline constexpr std::size_t kRowsAtOnce = 8;

struct alignas(32) LaneRow {
  std::array<float, kLanes> of{};
};

// A fully connected layer, laid out for the loops. Immutable.
class LaneLayer {
 public:
  // The weights of all `parts` see one input each, one after the other. weight: [out, in].
  LaneLayer(std::span<const Tensor* const> parts, const Tensor& bias);

  std::size_t inputs() const { return inputs_; }
  // A multiple of kRowsAtOnce; those beyond the real ones are 0.
  std::size_t outputs() const { return bias_.size(); }
  const float* weights() const { return weights_.data(); }
  const float* bias() const { return bias_.data(); }

 private:
  std::size_t inputs_ = 0;
  std::vector<float> weights_;  // [outputs / kRowsAtOnce][inputs][kRowsAtOnce]
  std::vector<float> bias_;
};

// Of "name.weight" and "name.bias".
LaneLayer lane_layer(const Tensors& weights, const std::string& name);

// REQUIRES: in has layer.inputs() rows, out has layer.outputs().
void apply_layer(const LaneLayer& layer, const LaneRow* in, LaneRow* out);
void apply_relu(LaneRow* rows, std::size_t count);
// ln(1 + eˣ)
void apply_softplus(LaneRow* rows, std::size_t count);
// (x − mean) / deviation, at most kFarthestInput away from 0.
void standardise(LaneRow* rows, std::span<const float> mean, std::span<const float> deviation);

// A layer of gates gives them multiplied by these, so that 2ˣ is all that is left to compute of
// e⁻ᶻ for the sigmoid and e⁻²ᶻ for the hyperbolic tangent.
inline constexpr float kSigmoidGateScale = -1.44269504F;
inline constexpr float kTanhGateScale = -2.88539008F;

// An LSTM's new memory from its gates: 4·units rows, input, forget, cell (tanh) and output gate.
void apply_gates(const LaneRow* gates, LaneRow* cell, LaneRow* hidden, std::size_t units);

// levels[i] ← loss_level(losses[i], firsts[i])
void loss_levels(const double* losses, const double* firsts, double* levels, std::size_t count);
// logs[i] ← log_count(counts[i])
void log_counts(const double* counts, float* logs, std::size_t count);

}  // namespace espalier
