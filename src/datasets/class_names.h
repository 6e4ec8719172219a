// SPDX-License-Identifier: Apache-2.0
// Text files that name the classes of a data set, one per line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// Throws Error{BadInput} naming `place` unless the name is of 1 to 64 bytes and printable.
void check_class_name(std::string_view name, std::string_view place);

// Names as above, different from each other; empty lines at the end and CRs are dropped. Throws
// Error{BadInput} naming `file` and the line.
std::vector<std::string> parse_class_names(std::string_view text, std::string_view file);

// Those of `path`, if there is such a file.
std::optional<std::vector<std::string>> read_class_names(const std::filesystem::path& path);

// The same; throws Error{BadInput} unless they are `count`.
std::optional<std::vector<std::string>> read_class_names(const std::filesystem::path& path,
                                                         std::size_t count);

}  // namespace espalier
