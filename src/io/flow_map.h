// SPDX-License-Identifier: Apache-2.0
// Pieces of YAML for the writers of scenarios.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

// "{key: value, key: value}", entry by entry. Numbers are the shortest that read back exactly.
class FlowMap {
 public:
  FlowMap& add(std::string_view key, std::string_view value);
  FlowMap& add(std::string_view key, double value);
  FlowMap& add_unless(double usual, std::string_view key, double value) {
    return value == usual ? *this : add(key, value);
  }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

// A text in single quotes, where only the quote itself is special.
std::string in_quotes(std::string_view text);

// Names are plain words, unless YAML would take them for something else.
std::string word(const std::string& name);

}  // namespace espalier
