// SPDX-License-Identifier: Apache-2.0
// The bytes of a file of a data set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace espalier {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

// The whole file. Throws Error{BadInput} unless it is a regular file, readable, not empty and of at
// most `most` bytes; memory is never more than the file's real size. Does not block on a FIFO.
Bytes read_file_bytes(const std::filesystem::path& path, std::size_t most);

}  // namespace espalier
