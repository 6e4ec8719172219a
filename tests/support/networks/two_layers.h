// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "networks/network_builder.h"

namespace espalier::support {

// On 8×8 pixels: conv 3→first, norm, conv first→second, flatten, linear 64·second→4.
inline Architecture two_layers(int64_t first, int64_t second) {
  NetworkBuilder net("two", {3, 8, 8});
  net.convolution_norm("first", {.out = first});
  net.add("second", Convolution{.out = second});
  net.add("flatten", Flatten{});
  net.add("classifier", Linear{.out = 4});
  return std::move(net).build();
}

}  // namespace espalier::support
