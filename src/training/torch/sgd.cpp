// SPDX-License-Identifier: Apache-2.0
#include "training/torch/sgd.h"

#include "training/torch/torch_tensors.h"

namespace espalier {

Sgd::Sgd(std::vector<Trained> trained, const Tensors& momentum)
    : trained_(std::move(trained)), has_momentum_(!momentum.empty()) {
  for (const auto& [name, weight] : trained_) {
    weights_.push_back(weight);
    const auto found = momentum.find(name);
    momentum_.push_back(found == momentum.end() ? at::zeros_like(weight.detach())
                                                : torch_tensor(found->second));
  }
}

void Sgd::step(const SgdRates& rates, const std::vector<at::Tensor>& gradients) {
  const at::NoGradGuard no_grad;
  at::_foreach_mul_(momentum_, rates.momentum);
  at::_foreach_add_(momentum_, gradients);
  if (rates.weight_decay > 0) at::_foreach_add_(momentum_, weights_, rates.weight_decay);
  at::_foreach_add_(weights_, momentum_, -rates.learning_rate);
  has_momentum_ = true;
}

Tensors Sgd::momentum() const {
  Tensors copies;
  if (!has_momentum_) return copies;
  for (std::size_t i = 0; i < trained_.size(); ++i) {
    copies.emplace(trained_[i].name, plain_tensor(momentum_[i]));
  }
  return copies;
}

}  // namespace espalier
