// SPDX-License-Identifier: Apache-2.0
// Records as TensorFlow's tools keep them in files: each with its length and two checksums.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

// Castagnoli's checksum (RFC 3720).
std::uint32_t crc32c(std::string_view bytes);

// length (8 bytes), checksum of the length (4), the bytes, their checksum (4); little-endian, the
// checksums masked so that records may hold records.
std::string framed_record(std::string_view bytes);

}  // namespace espalier
