// SPDX-License-Identifier: Apache-2.0
#include "estimation/torch/range_loss.h"

#include "estimation/network_inputs.h"

namespace espalier {
namespace {

constexpr double kLowQuantile = 0.05;
constexpr double kHighQuantile = 0.95;

// Least, on average, where the share `quantile` of the targets is below the forecast.
at::Tensor tilted_error(const at::Tensor& above, double quantile) {
  return at::maximum(above * quantile, above * (quantile - 1));
}

}  // namespace

TorchRanges ranges_of(const at::Tensor& outputs) {
  const auto parts = outputs.chunk(static_cast<int64_t>(kRangeOutputs), -1);
  return {parts[0], at::softplus(parts[1]), at::softplus(parts[2])};
}

LossSum range_loss(const TorchRanges& ranges, const at::Tensor& targets,
                   const at::Tensor& weights) {
  const at::Tensor error = targets - ranges.mean;
  const at::Tensor fixed = error.detach();
  const at::Tensor each = error * error + tilted_error(fixed + ranges.down, kLowQuantile) +
                          tilted_error(fixed - ranges.up, kHighQuantile);
  return {(each * weights).sum(), weights.sum().item<double>()};
}

}  // namespace espalier
