// SPDX-License-Identifier: Apache-2.0
// Adam, as torch.optim.Adam computes it, with gradients cut to a greatest length.
#pragma once

#include <cstdint>
#include <vector>

#include "estimation/torch/fit_aten.h"
#include "training/torch/gradients.h"

namespace espalier {

struct AdamRates {
  double learning_rate = 1e-3;
  double longest_gradient = 1.0;
  double mean_decay = 0.9;
  double square_decay = 0.999;
  double epsilon = 1e-8;
};

// Owned by one thread.
class Adam {
 public:
  // Shares the weights, and has gradients computed for them.
  Adam(std::vector<at::Tensor> weights, const AdamRates& rates);

  // Takes the gradients that the backward pass left at the weights, and one step along them.
  void step();

  // The next steps are so many times as long.
  void scale_rate(double times) { rates_.learning_rate *= times; }

 private:
  AdamRates rates_;
  std::vector<at::Tensor> weights_;
  std::vector<at::Tensor> means_;
  std::vector<at::Tensor> squares_;
  std::int64_t steps_ = 0;
};

}  // namespace espalier
