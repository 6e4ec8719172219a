// SPDX-License-Identifier: Apache-2.0
#include "io/wording.h"

#include <algorithm>

#include <fmt/format.h>

#include "io/utf8.h"

namespace espalier {
namespace {

constexpr std::size_t kLongestShown = 64;
constexpr std::size_t kMostListed = 12;

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  const bool is_c1 = first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
  return first < 0x20 || first == 0x7F || is_c1;
}

}  // namespace

std::string shown(std::string_view text) {
  std::string out;
  while (!text.empty() && out.size() < kLongestShown) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    out += length == 0 || is_control(character) ? "?" : character;
    text.remove_prefix(character.size());
  }
  return text.empty() ? out : out + "…";
}

std::string listed(std::span<const std::string> names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i) {
    out += (i > 0 ? ", " : "") + shown(names[i]);
  }
  if (names.size() > kMostListed) out += fmt::format(" and {} more", names.size() - kMostListed);
  return out;
}

}  // namespace espalier
