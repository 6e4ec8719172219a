// SPDX-License-Identifier: Apache-2.0
#include "estimation/torch/change_pass.h"

#include <algorithm>

#include "estimation/torch/run_pass.h"

namespace espalier {

ChangeBatch change_batch(const ChangeTable& table, std::span<const std::uint32_t> rows) {
  const auto count = static_cast<int64_t>(rows.size());
  ChangeBatch batch{at::zeros({count, static_cast<int64_t>(kChangeInputs)}, at::kFloat),
                    at::zeros({count, 1}, at::kFloat)};
  auto* input = batch.inputs.data_ptr<float>();
  auto* target = batch.targets.data_ptr<float>();
  for (const std::uint32_t row : rows) {
    input = std::ranges::copy(table.inputs[row], input).out;
    *target++ = table.targets[row];
  }
  return batch;
}

TorchRanges change_pass(const TorchTensors& weights, const ChangeBatch& batch) {
  const at::Tensor inputs = standardised(batch.inputs, weights, "change");
  const at::Tensor first = through_layer(inputs, weights, "first").relu();
  const at::Tensor second = through_layer(first, weights, "second").relu();
  return ranges_of(through_layer(second, weights, "output"));
}

LossSum change_loss(const TorchTensors& weights, const ChangeBatch& batch) {
  const at::Tensor targets = batch.targets / weights.at("output.scale");
  return range_loss(change_pass(weights, batch), targets, at::zeros_like(targets).add(1));
}

}  // namespace espalier
