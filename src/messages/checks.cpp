// SPDX-License-Identifier: Apache-2.0
#include "messages/checks.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "io/utf8.h"

namespace espalier {
namespace {

constexpr std::size_t kDigestBytes = 32;
constexpr std::uint64_t kLargestObject = std::uint64_t{1} << 40;
constexpr std::string_view kHexDigits = "0123456789abcdef";

bool is_control(char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }

std::string as_hexadecimal(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kHexDigits[byte >> 4];
    text += kHexDigits[byte & 15];
  }
  return text;
}

char byte_of(char high, char low) {
  return static_cast<char>(kHexDigits.find(high) << 4 | kHexDigits.find(low));
}

}  // namespace

void refuse_field(std::string_view field, std::string_view why) {
  throw Error(ErrorCode::BadInput, std::string(field) + ": " + std::string(why));
}

std::string checked_name(std::string_view field, const std::string& value) {
  if (!is_wire_name(value)) refuse_field(field, "not a name of 1 to 64 of A-Z a-z 0-9 . _ -");
  return value;
}

std::string checked_text(std::string_view field, const std::string& value) {
  if (value.size() > kLongestText) refuse_field(field, "too long");
  if (std::any_of(value.begin(), value.end(), is_control) || find_text_fault(value))
    refuse_field(field, "not one line of UTF-8");
  return value;
}

double checked_number(std::string_view field, double value, double least, double most) {
  if (!std::isfinite(value)) refuse_field(field, "not a finite number");
  if (value < least || value > most) refuse_field(field, "out of bounds");
  return value;
}

std::int64_t checked_count(std::string_view field, std::int64_t value, std::int64_t least,
                           std::int64_t most) {
  if (value < least || value > most) refuse_field(field, "out of bounds");
  return value;
}

ObjectRef checked_object(std::string_view field, const std::string& digest, std::uint64_t size) {
  if (digest.size() != kDigestBytes) refuse_field(field, "a digest of another length");
  if (size > kLargestObject) refuse_field(field, "too large");
  return {as_hexadecimal(digest), size};
}

std::string as_one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const bool is_sound = length > 0 && !is_control(text.front());
    const std::string_view next = is_sound ? text.substr(0, length) : std::string_view(" ");
    if (line.size() + next.size() > kLongestText) break;
    line += next;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return line;
}

std::string digest_bytes(const ObjectRef& object) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < object.sha256.size(); i += 2)
    bytes += byte_of(object.sha256[i], object.sha256[i + 1]);
  return bytes;
}

}  // namespace espalier
