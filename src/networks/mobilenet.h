// SPDX-License-Identifier: Apache-2.0
// MobileNetV2 (Sandler et al., 2018) as is usual for 32×32 pixels: the stem and the second stage
// keep the size, so that 4×4 pixels reach the end.
#pragma once

#include "networks/network_builder.h"

namespace espalier {

Architecture mobilenetv2(const NetworkOptions& options);

}  // namespace espalier
