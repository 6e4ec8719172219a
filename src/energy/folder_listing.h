// SPDX-License-Identifier: Apache-2.0
// The entries of a folder, in a fixed order.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace espalier {

// Those whose name starts with `prefix`, sorted; none if the folder cannot be read.
std::vector<std::filesystem::path> entries(const std::filesystem::path& folder,
                                           std::string_view prefix = "");

}  // namespace espalier
