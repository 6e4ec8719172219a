// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros_like.h>

namespace espalier {

// Takes away the gradients that the backward pass left at the weights; zero where it left none.
inline std::vector<at::Tensor> take_gradients(std::vector<at::Tensor>& weights) {
  std::vector<at::Tensor> gradients;
  for (at::Tensor& weight : weights) {
    at::Tensor& gradient = weight.mutable_grad();
    gradients.push_back(gradient.defined() ? gradient : at::zeros_like(weight.detach()));
    gradient = at::Tensor();
  }
  return gradients;
}

}  // namespace espalier
