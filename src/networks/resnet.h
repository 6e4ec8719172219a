// SPDX-License-Identifier: Apache-2.0
// ResNet-18 (He et al., 2016) as is usual for 32×32 pixels: a 3×3 stem without pool, four stages of
// two basic blocks, 1×1 projections where the shape changes.
#pragma once

#include "networks/network_builder.h"

namespace espalier {

Architecture resnet18(const NetworkOptions& options);

}  // namespace espalier
