// SPDX-License-Identifier: Apache-2.0
// JPEG files, by libjpeg.
#pragma once

#include "datasets/picture.h"

namespace espalier {

bool is_jpeg(ByteView bytes);

// Grey or colour; the orientation that a camera may have noted is not heeded. Throws
// Error{BadInput} naming `file` where it is damaged (also where libjpeg would only warn), cut off,
// beyond the limits, or in CMYK.
Picture decode_jpeg(ByteView bytes, const PictureLimits& limits, std::string_view file);

}  // namespace espalier
