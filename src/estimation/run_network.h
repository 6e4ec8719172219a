// SPDX-License-Identifier: Apache-2.0
// The network that forecasts a run, without torch: plain loops over lanes, from the same weights.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/lane_loops.h"
#include "estimation/network_inputs.h"
#include "networks/tensors.h"

namespace espalier {

// Where an LSTM is, for kLanes curves.
struct LaneMemory {
  std::vector<LaneRow> hidden;  // and, behind it, room for the inputs of the next step
  std::vector<LaneRow> cell;
};

// Room for what lies between the layers.
struct LaneScratch {
  std::vector<LaneRow> gates;
  std::vector<LaneRow> both;
  std::vector<LaneRow> joined;
};

// Immutable.
class RunNetwork {
 public:
  // Throws Error{BadInput} unless these are weights of such a network.
  explicit RunNetwork(const Tensors& weights);

  // Before any loss.
  LaneMemory fresh_memory() const;
  LaneScratch scratch() const;

  // One more loss for each lane: one step of the LSTM.
  using LossInputs = std::array<LaneRow, kLossInputs>;
  void read(LaneMemory& memory, const LossInputs& inputs, LaneScratch& scratch) const;

  // Mean, way down and way up of each epoch ahead: rows as "output" has them, in loss_unit()s.
  using PlaceInputs = std::array<LaneRow, kPlaceInputs>;
  using Outputs = std::array<LaneRow, kRowsAtOnce * 2>;
  Outputs forecast(const LaneMemory& memory, const PlaceInputs& inputs, LaneScratch& scratch) const;

 private:
  LaneLayer gates_;
  LaneLayer places_;
  LaneLayer joined_;
  LaneLayer output_;
  std::size_t hidden_;
  std::vector<float> loss_mean_, loss_deviation_;
  std::vector<float> place_mean_, place_deviation_;
  std::vector<float> scale_;
};

// The forecast of one lane, from its newest loss on.
Forecast lane_forecast(const RunNetwork::Outputs& outputs, std::size_t lane, double newest,
                       double unit);

}  // namespace espalier
