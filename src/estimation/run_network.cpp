// SPDX-License-Identifier: Apache-2.0
#include "estimation/run_network.h"

#include <algorithm>

#include "estimation/network_weights.h"

namespace espalier {
namespace {

constexpr std::size_t kAhead = kEpochsAhead;
static_assert(kRangeOutputs * kAhead <= std::tuple_size_v<RunNetwork::Outputs>);

const Tensors& checked_run(const Tensors& weights) {
  run_shape(weights);
  return weights;
}

// As apply_gates wants them. The rows are those of the four gates, the tanh one is the third.
Tensor gate_rows(const Tensor& weights) {
  Tensor scaled = weights;
  const std::size_t gate = scaled.values.size() / 4;
  for (std::size_t i = 0; i < scaled.values.size(); ++i) {
    scaled.values[i] *= i / gate == 2 ? kTanhGateScale : kSigmoidGateScale;
  }
  return scaled;
}

LaneLayer gates_of(const Tensors& weights) {
  const Tensor memory = gate_rows(weights.at("lstm.memory.weight"));
  const Tensor inputs = gate_rows(weights.at("lstm.inputs.weight"));
  const std::array parts{&memory, &inputs};
  return {parts, gate_rows(weights.at("lstm.bias"))};
}

void scale_row(LaneRow& row, float scale) {
  for (float& value : row.of) value *= scale;
}

}  // namespace

RunNetwork::RunNetwork(const Tensors& weights)
    : gates_(gates_of(checked_run(weights))),
      places_(lane_layer(weights, "places")),
      joined_(lane_layer(weights, "joined")),
      output_(lane_layer(weights, "output")),
      hidden_(weights.at("lstm.bias").values.size() / 4),
      loss_mean_(weights.at("losses.mean").values),
      loss_deviation_(weights.at("losses.deviation").values),
      place_mean_(weights.at("places.mean").values),
      place_deviation_(weights.at("places.deviation").values),
      scale_(weights.at("output.scale").values) {}

LaneMemory RunNetwork::fresh_memory() const {
  return {std::vector<LaneRow>(hidden_ + kLossInputs), std::vector<LaneRow>(hidden_)};
}

LaneScratch RunNetwork::scratch() const {
  return {std::vector<LaneRow>(gates_.outputs()), std::vector<LaneRow>(hidden_ + places_.outputs()),
          std::vector<LaneRow>(joined_.outputs())};
}

void RunNetwork::read(LaneMemory& memory, const LossInputs& inputs, LaneScratch& scratch) const {
  LaneRow* const seen = memory.hidden.data() + hidden_;
  std::ranges::copy(inputs, seen);
  standardise(seen, loss_mean_, loss_deviation_);
  apply_layer(gates_, memory.hidden.data(), scratch.gates.data());
  apply_gates(scratch.gates.data(), memory.cell.data(), memory.hidden.data(), hidden_);
}

RunNetwork::Outputs RunNetwork::forecast(const LaneMemory& memory, const PlaceInputs& inputs,
                                         LaneScratch& scratch) const {
  PlaceInputs seen = inputs;
  standardise(seen.data(), place_mean_, place_deviation_);
  LaneRow* const places = scratch.both.data() + hidden_;
  std::copy_n(memory.hidden.begin(), hidden_, scratch.both.begin());
  apply_layer(places_, seen.data(), places);
  apply_relu(places, places_.outputs());
  apply_layer(joined_, scratch.both.data(), scratch.joined.data());
  apply_relu(scratch.joined.data(), scratch.joined.size());
  Outputs outputs;
  apply_layer(output_, scratch.joined.data(), outputs.data());
  apply_softplus(outputs.data() + kAhead, (kRangeOutputs - 1) * kAhead);
  for (std::size_t i = 0; i < kRangeOutputs * kAhead; ++i) {
    scale_row(outputs[i], scale_[i % kAhead]);
  }
  return outputs;
}

Forecast lane_forecast(const RunNetwork::Outputs& outputs, std::size_t lane, double newest,
                       double unit) {
  Forecast forecast;
  for (std::size_t i = 0; i < kAhead; ++i) {
    forecast[i] = loss_range(
        newest, unit,
        {outputs[i].of[lane], outputs[kAhead + i].of[lane], outputs[2 * kAhead + i].of[lane]});
  }
  return forecast;
}

}  // namespace espalier
