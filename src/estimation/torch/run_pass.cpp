// SPDX-License-Identifier: Apache-2.0
#include "estimation/torch/run_pass.h"

#include <algorithm>

namespace espalier {
namespace {

std::size_t longest_of(std::span<const RunTable* const> tables) {
  std::size_t most = 0;
  for (const RunTable* table : tables) most = std::max(most, table->losses.size());
  return most;
}

// The rows of one column of the tables, side by side.
template <std::size_t N>
at::Tensor padded(std::span<const RunTable* const> tables,
                  std::vector<std::array<float, N>> RunTable::*column) {
  const auto curves = static_cast<int64_t>(tables.size());
  at::Tensor all = at::zeros(
      {static_cast<int64_t>(longest_of(tables)), curves, static_cast<int64_t>(N)}, at::kFloat);
  auto* const values = all.data_ptr<float>();
  for (std::size_t curve = 0; curve < tables.size(); ++curve) {
    const auto& rows = tables[curve]->*column;
    for (std::size_t place = 0; place < rows.size(); ++place) {
      std::ranges::copy(rows[place], values + (place * tables.size() + curve) * N);
    }
  }
  return all;
}

at::Tensor memories(const TorchTensors& weights, const at::Tensor& losses) {
  const at::Tensor& memory = weights.at("lstm.memory.weight");
  const at::Tensor& bias = weights.at("lstm.bias");
  const at::Tensor none = at::zeros({1, losses.size(1), memory.size(1)}, at::kFloat);
  // libtorch wants two biases, which only ever appear as their sum.
  const at::Tensor no_bias = at::zeros_like(bias.detach());
  return std::get<0>(at::lstm(losses, {none, none},
                              {weights.at("lstm.inputs.weight"), memory, bias, no_bias},
                              /*has_biases=*/true, /*num_layers=*/1, /*dropout=*/0,
                              /*train=*/true, /*bidirectional=*/false, /*batch_first=*/false));
}

}  // namespace

RunBatch run_batch(std::span<const RunTable* const> tables) {
  return {padded(tables, &RunTable::losses), padded(tables, &RunTable::places),
          padded(tables, &RunTable::targets), padded(tables, &RunTable::weights)};
}

at::Tensor standardised(const at::Tensor& inputs, const TorchTensors& weights,
                        const std::string& name) {
  const at::Tensor apart = (inputs - weights.at(name + ".mean")) / weights.at(name + ".deviation");
  return apart.clamp(-kFarthestInput, kFarthestInput);
}

at::Tensor through_layer(const at::Tensor& inputs, const TorchTensors& weights,
                         const std::string& name) {
  return at::linear(inputs, weights.at(name + ".weight"), weights.at(name + ".bias"));
}

TorchRanges run_pass(const TorchTensors& weights, const RunBatch& batch) {
  const at::Tensor memory = memories(weights, standardised(batch.losses, weights, "losses"));
  const at::Tensor places =
      through_layer(standardised(batch.places, weights, "places"), weights, "places").relu();
  const at::Tensor joined = through_layer(at::cat({memory, places}, -1), weights, "joined").relu();
  return ranges_of(through_layer(joined, weights, "output"));
}

LossSum run_loss(const TorchTensors& weights, const RunBatch& batch) {
  const at::Tensor targets = batch.targets / weights.at("output.scale");
  return range_loss(run_pass(weights, batch), targets, batch.weights);
}

}  // namespace espalier
