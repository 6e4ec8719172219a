// SPDX-License-Identifier: Apache-2.0
#include "estimation/network_forecast.h"

#include <algorithm>
#include <array>

#include "estimation/curve_lanes.h"
#include "estimation/network_inputs.h"
#include "estimation/network_weights.h"

namespace espalier {
namespace {

const Tensors& checked_change(const Tensors& weights) {
  change_shape(weights);
  return weights;
}

}  // namespace

std::vector<Forecast> NetworkRunEstimator::forecast(std::span<const History> histories) const {
  std::vector<Forecast> forecasts(histories.size());
  CurveLanes(network_, histories).forecast(forecasts);
  return forecasts;
}

NetworkChangeEstimator::NetworkChangeEstimator(const Tensors& weights)
    : first_(lane_layer(checked_change(weights), "first")),
      second_(lane_layer(weights, "second")),
      output_(lane_layer(weights, "output")),
      mean_(weights.at("change.mean").values),
      deviation_(weights.at("change.deviation").values),
      scale_(weights.at("output.scale").values.front()) {}

// At most kLanes changes.
std::vector<LaneRow> NetworkChangeEstimator::outputs_of(std::span<const Pruning> changes) const {
  std::array<LaneRow, kChangeInputs> rows{};
  for (std::size_t lane = 0; lane < changes.size(); ++lane) {
    const auto inputs = change_inputs(changes[lane]);
    for (std::size_t i = 0; i < kChangeInputs; ++i) rows[i].of[lane] = inputs[i];
  }
  standardise(rows.data(), mean_, deviation_);
  std::vector<LaneRow> first(first_.outputs());
  std::vector<LaneRow> second(second_.outputs());
  std::vector<LaneRow> outputs(output_.outputs());
  apply_layer(first_, rows.data(), first.data());
  apply_relu(first.data(), first.size());
  apply_layer(second_, first.data(), second.data());
  apply_relu(second.data(), second.size());
  apply_layer(output_, second.data(), outputs.data());
  apply_softplus(outputs.data() + 1, kRangeOutputs - 1);
  return outputs;
}

std::vector<LossRange> NetworkChangeEstimator::after(std::span<const Pruning> changes) const {
  for (const Pruning& change : changes) check_change(change);
  std::vector<LossRange> ranges;
  for (std::size_t i = 0; i < changes.size(); i += kLanes) {
    const auto part = changes.subspan(i, std::min(kLanes, changes.size() - i));
    const std::vector<LaneRow> rows = outputs_of(part);
    for (std::size_t lane = 0; lane < part.size(); ++lane) {
      ranges.push_back(loss_range(part[lane].before.back(), scale_,
                                  {rows[0].of[lane], rows[1].of[lane], rows[2].of[lane]}));
    }
  }
  return ranges;
}

}  // namespace espalier
