// SPDX-License-Identifier: Apache-2.0
// Fitted networks as estimators, without torch: planning never loads it.
#pragma once

#include "estimation/estimators.h"
#include "estimation/lane_loops.h"
#include "estimation/run_network.h"
#include "networks/tensors.h"

namespace espalier {

// Immutable.
class NetworkRunEstimator final : public RunEstimator {
 public:
  // Throws Error{BadInput} unless these are weights of such a network (network_weights.h).
  explicit NetworkRunEstimator(const Tensors& weights) : network_(weights) {}

  // Throws Error{BadInput} where a history is empty or holds what is no loss.
  std::vector<Forecast> forecast(std::span<const History> histories) const override;

  // For roll-outs: see curve_lanes.h.
  const RunNetwork& network() const { return network_; }

 private:
  RunNetwork network_;
};

// Immutable.
class NetworkChangeEstimator final : public ChangeEstimator {
 public:
  explicit NetworkChangeEstimator(const Tensors& weights);
  std::vector<LossRange> after(std::span<const Pruning> changes) const override;

 private:
  std::vector<LaneRow> outputs_of(std::span<const Pruning> changes) const;

  LaneLayer first_;
  LaneLayer second_;
  LaneLayer output_;
  std::vector<float> mean_, deviation_;
  double scale_;
};

}  // namespace espalier
