// SPDX-License-Identifier: Apache-2.0
// Reads a whole file that is expected to be short.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <variant>

namespace espalier {

// Why a file cannot be read.
struct FileFault {
  std::string what;  // "a directory, not a file"
  std::string hint;
};

// Only regular files, never more than `most` bytes. Does not block, not even on a FIFO.
std::variant<std::string, FileFault> read_text_file(const std::filesystem::path& path,
                                                    std::size_t most);

}  // namespace espalier
