// SPDX-License-Identifier: Apache-2.0
#include "render/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include "io/utf8.h"

namespace espalier {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

constexpr std::array kZeroWidth{
    Range{0x300, 0x36F},   Range{0x483, 0x489},   Range{0x591, 0x5BD},   Range{0x610, 0x61A},
    Range{0x64B, 0x65F},   Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF}, Range{0x200B, 0x200F},
    Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}, Range{0xFEFF, 0xFEFF}};
constexpr std::array kWide{
    Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0xA4CF},
    Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},
    Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F},
    Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1FAFF}, Range{0x20000, 0x3FFFD}};

template <class Ranges>
bool holds(const Ranges& ranges, std::uint32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const Range& r) { return c >= r.first && c <= r.last; });
}

// One character at the beginning of a text.
struct Character {
  std::size_t bytes = 1;
  std::uint32_t code = 0xFFFD;  // that of broken text
};

Character first_character(std::string_view text) {
  const std::size_t bytes = utf8_length(text);
  if (bytes == 0) return {};
  const auto lead = static_cast<unsigned char>(text[0]);
  if (bytes == 1) return {1, lead};
  std::uint32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return {bytes, code};
}

int width_of(std::uint32_t code) {
  if (holds(kZeroWidth, code)) return 0;
  return holds(kWide, code) ? 2 : 1;
}

// Direction overrides and invisible separators can make a text look like another.
bool is_control(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xFFFD || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

// The longest beginning of at most `width` columns, and at least one character.
std::size_t fitting_bytes(std::string_view text, int width) {
  std::size_t at = 0;
  int used = 0;
  while (at < text.size()) {
    const Character c = first_character(text.substr(at));
    used += width_of(c.code);
    if (used > width && at > 0) break;
    at += c.bytes;
  }
  return at;
}

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(std::max(0, count)), ' ');
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Character c = first_character(text);
    width += width_of(c.code);
    text.remove_prefix(c.bytes);
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const Character c = first_character(text);
    safe += is_control(c.code) ? "?" : text.substr(0, c.bytes);
    text.remove_prefix(c.bytes);
  }
  return safe;
}

std::string cut_to(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  if (width <= 1) return "…";
  return std::string(text.substr(0, fitting_bytes(text, width - 1))) + "…";
}

std::string pad_right(std::string_view text, int width) {
  return std::string(text) + spaces(width - display_width(text));
}

std::string pad_left(std::string_view text, int width) {
  return spaces(width - display_width(text)) + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, int width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    const std::string& line = lines.back();
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width)
      lines.emplace_back();
    while (display_width(word) > width) {
      const std::size_t piece = fitting_bytes(word, width);
      lines.back() = word.substr(0, piece);
      word.remove_prefix(piece);
      lines.emplace_back();
    }
    if (!lines.back().empty() && !word.empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

std::string hanging(std::string_view first, std::string_view text, int width) {
  const int indent = display_width(first);
  std::string all;
  for (const std::string& line : wrap(text, width - indent)) {
    all += all.empty() ? std::string(first) : spaces(indent);
    all += line + "\n";
  }
  return all;
}

std::string shell_word(std::string_view text) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./=:,+%@").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace espalier
