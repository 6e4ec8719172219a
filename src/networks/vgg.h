// SPDX-License-Identifier: Apache-2.0
// VGG-11 (Simonyan and Zisserman, 2015) with batch norm, as is usual for 32×32 pixels: the
// convolutions end at one pixel, and a single linear layer classifies. Where pixels are left, their
// mean is taken.
#pragma once

#include "networks/network_builder.h"

namespace espalier {

Architecture vgg11(const NetworkOptions& options);

}  // namespace espalier
