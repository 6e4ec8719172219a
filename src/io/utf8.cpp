// SPDX-License-Identifier: Apache-2.0
#include "io/utf8.h"

namespace espalier {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

bool is_tail(unsigned byte) { return (byte & 0xC0U) == 0x80U; }

// The second byte of a character excludes overlong forms, surrogates and what lies past U+10FFFF.
bool fits_lead(unsigned lead, unsigned second) {
  if (lead == 0xE0) return second >= 0xA0;
  if (lead == 0xED) return second < 0xA0;
  if (lead == 0xF0) return second >= 0x90;
  if (lead == 0xF4) return second < 0x90;
  return true;
}

std::size_t announced_length(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned lead = byte_at(text, 0);
  const std::size_t length = announced_length(lead);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_tail(byte_at(text, i))) return 0;
  }
  return length > 1 && !fits_lead(lead, byte_at(text, 1)) ? 0 : length;
}

std::optional<TextFault> find_text_fault(std::string_view text) {
  int line = 1;
  int column = 1;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return TextFault{line, column, "bytes that are not UTF-8"};
    if (text.front() == '\0') return TextFault{line, column, "a NUL byte"};
    const bool ends_line = text.front() == '\n';
    line += ends_line ? 1 : 0;
    column = ends_line ? 1 : column + 1;
    text.remove_prefix(length);
  }
  return std::nullopt;
}

}  // namespace espalier
