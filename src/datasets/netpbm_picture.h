// SPDX-License-Identifier: Apache-2.0
// PGM and PPM files, binary (P5, P6) and as text (P2, P3).
#pragma once

#include "datasets/picture.h"

namespace espalier {

bool is_netpbm(ByteView bytes);

// Samples of up to 65,535 are scaled to 0–255. Throws Error{BadInput} naming `file` where it is
// damaged, cut off, beyond the limits, or goes on after its last pixel.
Picture decode_netpbm(ByteView bytes, const PictureLimits& limits, std::string_view file);

}  // namespace espalier
