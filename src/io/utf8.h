// SPDX-License-Identifier: Apache-2.0
// Is it text at all?
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace espalier {

// The first place where a text is no text; line and column are 1-based.
struct TextFault {
  int line = 0;
  int column = 0;
  std::string what;  // "bytes that are not UTF-8"
};

// Finds bytes that are not UTF-8 (overlong forms and surrogates included), and NUL bytes. Linear.
std::optional<TextFault> find_text_fault(std::string_view text);

// How many bytes the UTF-8 character at the beginning of `text` has; 0 if there is none.
std::size_t utf8_length(std::string_view text);

}  // namespace espalier
