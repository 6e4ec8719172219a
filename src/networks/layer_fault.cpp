// SPDX-License-Identifier: Apache-2.0
#include "networks/layer_fault.h"

#include "core/error.h"
#include "networks/architecture_limits.h"

namespace espalier {

void fail_at(const Layer& layer, const std::string& what, const std::string& hint) {
  throw Error(ErrorCode::BadInput, "layer '" + shown_name(layer.name) + "': " + what, hint);
}

std::string shown_name(std::string_view name) {
  std::string shown(name.substr(0, kLongestName));
  for (char& c : shown) {
    if (c < 32 || c > 126) c = '?';
  }
  return name.size() > kLongestName ? shown + "…" : shown;
}

}  // namespace espalier
