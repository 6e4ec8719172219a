// SPDX-License-Identifier: Apache-2.0
// How wrong forecasts are.
#pragma once

#include "estimation/torch/fit_aten.h"

namespace espalier {

// Of the same shape each, in units of a typical target: `down` and `up` lead from the mean to the
// 0.05 and the 0.95 quantile, and are ≥ 0.
struct TorchRanges {
  at::Tensor mean;
  at::Tensor down;
  at::Tensor up;
};

// From the last layer: all means, all ways down and all ways up, as many each.
TorchRanges ranges_of(const at::Tensor& outputs);

// Over several forecasts: divide the sum by the count.
struct LossSum {
  at::Tensor sum;
  double count = 0;
};

// Squared error of the mean plus tilted errors of the quantiles; a target without weight doesn't
// count. The quantiles don't pull at the mean: it stays what squared errors make it.
LossSum range_loss(const TorchRanges& ranges, const at::Tensor& targets, const at::Tensor& weights);

}  // namespace espalier
