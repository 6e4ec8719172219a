// SPDX-License-Identifier: Apache-2.0
// The network that forecasts changes, as libtorch computes it.
#pragma once

#include <cstdint>
#include <span>

#include "estimation/fit_tables.h"
#include "estimation/torch/range_loss.h"
#include "training/torch/torch_tensors.h"

namespace espalier {

// [change, …]
struct ChangeBatch {
  at::Tensor inputs;
  at::Tensor targets;
};

ChangeBatch change_batch(const ChangeTable& table, std::span<const std::uint32_t> rows);

// [change, 1]
TorchRanges change_pass(const TorchTensors& weights, const ChangeBatch& batch);

LossSum change_loss(const TorchTensors& weights, const ChangeBatch& batch);

}  // namespace espalier
