// SPDX-License-Identifier: Apache-2.0
// Pictures of any size brought to the size that networks take.
#pragma once

#include "datasets/picture.h"

namespace espalier {

// Stretched to `side`×`side`, so that nothing is cropped and the aspect ratio may change. Each axis
// for itself: where it shrinks, each new pixel is the mean of the area it covers; where it grows,
// bilinear between the centres of the old pixels. The same bytes on every machine.
Picture resized(const Picture& picture, std::size_t side);

// In the middle of `side`×`side`, with a black border; a picture that does not fit is `resized`.
Picture framed(const Picture& picture, std::size_t side);

}  // namespace espalier
