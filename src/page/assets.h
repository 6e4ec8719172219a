// SPDX-License-Identifier: Apache-2.0
// The page, carried inside the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier {

struct Asset {
  std::string path;  // "/assets/app.js"
  std::string type;  // of the content
  std::string_view content;
};

// Every file of the page; "/" is among them. Where the page was not built: one that says how to.
const std::vector<Asset>& all_assets();
bool has_page();

}  // namespace espalier
