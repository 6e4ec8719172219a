// SPDX-License-Identifier: Apache-2.0
// What a data set in a folder is called.
#pragma once

#include <filesystem>
#include <string>

namespace espalier {

// "pictures" for ./pictures, /some/where/pictures/ and, from within it, for "."
std::string folder_name(const std::filesystem::path& folder);

}  // namespace espalier
