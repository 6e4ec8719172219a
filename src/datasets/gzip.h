// SPDX-License-Identifier: Apache-2.0
// Decompression of .gz files.
#pragma once

#include <string_view>

#include "datasets/file_bytes.h"

namespace espalier {

bool is_gzip(ByteView bytes);

// All members of the file, one after the other. Throws Error{BadInput} naming `file` where it is
// damaged, cut off, followed by something else, or where more than `most` bytes come out; memory
// grows with what really came out.
Bytes gunzip(ByteView bytes, std::size_t most, std::string_view file);

}  // namespace espalier
