// SPDX-License-Identifier: Apache-2.0
#include "estimation/torch/adam.h"

#include <cmath>

namespace espalier {
namespace {

void shorten(std::vector<at::Tensor>& gradients, double longest) {
  const auto length = at::stack(at::_foreach_norm(gradients)).norm().item<double>();
  if (length > longest) at::_foreach_mul_(gradients, longest / length);
}

}  // namespace

Adam::Adam(std::vector<at::Tensor> weights, const AdamRates& rates)
    : rates_(rates), weights_(std::move(weights)) {
  for (at::Tensor& weight : weights_) {
    means_.push_back(at::zeros_like(weight));
    squares_.push_back(at::zeros_like(weight));
    weight.requires_grad_(true);
  }
}

void Adam::step() {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> gradients = take_gradients(weights_);
  shorten(gradients, rates_.longest_gradient);
  ++steps_;
  const auto steps = static_cast<double>(steps_);
  at::_foreach_mul_(means_, rates_.mean_decay);
  at::_foreach_add_(means_, gradients, 1 - rates_.mean_decay);
  at::_foreach_mul_(squares_, rates_.square_decay);
  at::_foreach_addcmul_(squares_, gradients, gradients, 1 - rates_.square_decay);
  std::vector<at::Tensor> sizes = at::_foreach_sqrt(squares_);
  at::_foreach_div_(sizes, std::sqrt(1 - std::pow(rates_.square_decay, steps)));
  at::_foreach_add_(sizes, rates_.epsilon);
  const double rate = rates_.learning_rate / (1 - std::pow(rates_.mean_decay, steps));
  at::_foreach_addcdiv_(weights_, means_, sizes, -rate);
}

}  // namespace espalier
