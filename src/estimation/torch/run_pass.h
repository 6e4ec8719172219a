// SPDX-License-Identifier: Apache-2.0
// The network that forecasts runs, as libtorch computes it: whole curves, padded to the longest.
#pragma once

#include <span>

#include "estimation/fit_tables.h"
#include "estimation/torch/range_loss.h"
#include "training/torch/torch_tensors.h"

namespace espalier {

// [place, curve, …]; places beyond the end of a curve have no weight.
struct RunBatch {
  at::Tensor losses;
  at::Tensor places;
  at::Tensor targets;
  at::Tensor weights;
};

// REQUIRES: at least one.
RunBatch run_batch(std::span<const RunTable* const> tables);

// At all places of all curves: [place, curve, epoch ahead].
TorchRanges run_pass(const TorchTensors& weights, const RunBatch& batch);

LossSum run_loss(const TorchTensors& weights, const RunBatch& batch);

// (x − mean) / deviation, at most kFarthestInput away from 0.
at::Tensor standardised(const at::Tensor& inputs, const TorchTensors& weights,
                        const std::string& name);
// Of "name.weight" and "name.bias".
at::Tensor through_layer(const at::Tensor& inputs, const TorchTensors& weights,
                         const std::string& name);

}  // namespace espalier
