// SPDX-License-Identifier: Apache-2.0
// Epoch after epoch, until the validation part gets no better.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "estimation/fit_options.h"
#include "estimation/torch/range_loss.h"

namespace espalier {

// What is to be fitted. The losses are functions of weights that the loop changes.
struct Fitting {
  // Of examples of such lengths. A batch holds ones of similar length, so that it is padded little.
  std::vector<std::size_t> lengths;
  std::function<LossSum(std::span<const std::uint32_t>)> loss;
  std::function<double()> validation_loss;
};

struct FitOutcome {
  FitProgress last;
  FitEnd end = FitEnd::Limit;
};

// Leaves the best weights in `weights`; what they were before where no epoch was good.
FitOutcome fit_weights(std::vector<at::Tensor> weights, const Fitting& fitting,
                       const FitOptions& options, const FitWatch& watch);

}  // namespace espalier
