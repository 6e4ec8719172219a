// SPDX-License-Identifier: Apache-2.0
// Weights without torch: named arrays of floats. What is pruned, averaged, saved and shipped.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "networks/architecture.h"

namespace espalier {

// Contiguous, last dimension fastest. The product of `shape` is the number of values; a scalar has
// an empty shape and one value.
struct Tensor {
  std::vector<int64_t> shape;
  std::vector<float> values;
  friend bool operator==(const Tensor&, const Tensor&) = default;
};

// By name, as in "features0.weight". Convolutions: weight [out, in, kernel, kernel] ([channels, 1,
// kernel, kernel] where depth-wise) and bias [out]; linear layers: weight [out, in] and bias [out];
// batch norms: weight, bias, running_mean and running_var [channels]. As torch names and lays out.
using Tensors = std::map<std::string, Tensor>;

// A network that can be trained on: what it is, what it has learned, and its optimiser's momentum
// (names of `weights`; empty before the first step).
struct Network {
  Architecture architecture;
  Tensors weights;
  Tensors momentum;
  friend bool operator==(const Network&, const Network&) = default;
};

}  // namespace espalier
