// SPDX-License-Identifier: Apache-2.0
// How large a network is and how much it computes.
#pragma once

#include <cstdint>
#include <vector>

#include "networks/architecture.h"

namespace espalier {

// FLOPs are those of one forward pass for one image, a multiply-add counting as two: of the window
// or row of each output and its bias, 2 per value of a batch norm, 1 per value of a ReLU, of an
// addition and of each pixel that a pool looks at.
struct Cost {
  int64_t parameters = 0;  // trained ones
  int64_t flops = 0;

  Cost& operator+=(const Cost& other);
  friend bool operator==(const Cost&, const Cost&) = default;
};

// One per layer. REQUIRES: a valid architecture.
std::vector<Cost> layer_costs(const Architecture& architecture);

Cost cost_of(const Architecture& architecture);

// Forward and backward for one image: the backward pass computes two gradients where the forward
// pass computes one product, so about three times the forward pass.
constexpr int64_t training_flops(const Cost& cost) { return 3 * cost.flops; }

// Of the weights, statistics included, as floats: what is sent when the model moves.
int64_t bytes_of(const Architecture& architecture);

}  // namespace espalier
