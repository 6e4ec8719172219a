// SPDX-License-Identifier: Apache-2.0
#include "wire/names.h"

#include <algorithm>

namespace espalier {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kDigits = 64;

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

bool is_hex_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

}  // namespace

bool is_wire_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return false;
  if (std::all_of(name.begin(), name.end(), [](char c) { return c == '.'; })) return false;
  return std::all_of(name.begin(), name.end(), is_name_letter);
}

bool is_object_ref(const ObjectRef& ref) {
  return ref.sha256.size() == kDigits &&
         std::all_of(ref.sha256.begin(), ref.sha256.end(), is_hex_digit);
}

}  // namespace espalier
