// SPDX-License-Identifier: Apache-2.0
// Stochastic gradient descent with momentum and weight decay, as torch.optim.SGD computes it.
#pragma once

#include <string>
#include <vector>

#include "networks/tensors.h"
#include "training/torch/aten.h"
#include "training/torch/gradients.h"

namespace espalier {

struct SgdRates {
  double learning_rate = 0;
  double momentum = 0;
  double weight_decay = 0;
};

// Owned by one thread.
class Sgd {
 public:
  struct Trained {
    std::string name;
    at::Tensor weight;
  };

  // Weights without momentum start with none.
  Sgd(std::vector<Trained> trained, const Tensors& momentum);

  // Takes the gradients that the backward pass left at the weights, and one step along them.
  void step(const SgdRates& rates) { step(rates, take_gradients()); }
  // Along these, in the order of `trained`.
  void step(const SgdRates& rates, const std::vector<at::Tensor>& gradients);
  // Zero where the backward pass left none.
  std::vector<at::Tensor> take_gradients() { return espalier::take_gradients(weights_); }

  const std::vector<Trained>& trained() const { return trained_; }
  // Empty before the first step ever.
  Tensors momentum() const;

 private:
  std::vector<Trained> trained_;
  std::vector<at::Tensor> weights_;
  std::vector<at::Tensor> momentum_;
  bool has_momentum_;
};

}  // namespace espalier
