// SPDX-License-Identifier: Apache-2.0
// Small random networks, weights and images. The same seed gives the same on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "networks/tensors.h"

namespace espalier::support {

// Chains of convolutions, full and depth-wise, with and without norms, residuals with and without
// projection, pools; linear layers at the end. Valid, a few thousand parameters.
Architecture random_architecture(uint64_t seed);

// Weights and momentum such that values neither vanish nor explode.
Network random_network(const Architecture& architecture, uint64_t seed);

std::vector<float> random_image(const ImageShape& shape, uint64_t seed);

}  // namespace espalier::support
