// SPDX-License-Identifier: Apache-2.0
// AlexNet (Krizhevsky et al., 2012) as is usual for 32×32 pixels: 3×3 kernels, a first stride of 2,
// 2×2 pools, and the two wide linear layers with dropout.
#pragma once

#include "networks/network_builder.h"

namespace espalier {

Architecture alexnet(const NetworkOptions& options);

}  // namespace espalier
