// SPDX-License-Identifier: Apache-2.0
#include "energy/folder_listing.h"

#include <algorithm>
#include <system_error>

namespace espalier {

std::vector<std::filesystem::path> entries(const std::filesystem::path& folder,
                                           std::string_view prefix) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  std::filesystem::directory_iterator at(folder, error);
  for (const std::filesystem::directory_iterator end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with(prefix)) paths.push_back(at->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace espalier
