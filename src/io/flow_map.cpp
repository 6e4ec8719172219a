// SPDX-License-Identifier: Apache-2.0
#include "io/flow_map.h"

#include <cctype>

#include <fmt/format.h>

namespace espalier {

FlowMap& FlowMap::add(std::string_view key, std::string_view value) {
  text_ += fmt::format("{}{}: {}", text_.empty() ? "" : ", ", key, value);
  return *this;
}

FlowMap& FlowMap::add(std::string_view key, double value) {
  return add(key, fmt::format("{}", value));
}

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

std::string word(const std::string& name) {
  const bool is_plain = !name.empty() && std::isalnum(static_cast<unsigned char>(name[0])) != 0 &&
                        name != "null" && name != "Null" && name != "NULL";
  return is_plain ? name : in_quotes(name);
}

}  // namespace espalier
