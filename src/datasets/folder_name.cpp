// SPDX-License-Identifier: Apache-2.0
#include "datasets/folder_name.h"

namespace espalier {

std::string folder_name(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::path whole = std::filesystem::absolute(folder, ignored).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();  // it ended in a slash
  return whole.filename().string();
}

}  // namespace espalier
