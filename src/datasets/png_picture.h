// SPDX-License-Identifier: Apache-2.0
// PNG files, by libpng.
#pragma once

#include "datasets/picture.h"

namespace espalier {

bool is_png(ByteView bytes);

// 8 bits per channel, whatever the file has; transparent pixels are laid over black. Throws
// Error{BadInput} naming `file` where it is damaged, cut off, beyond the limits, or goes on after
// its end.
Picture decode_png(ByteView bytes, const PictureLimits& limits, std::string_view file);

}  // namespace espalier
