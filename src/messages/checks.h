// SPDX-License-Identifier: Apache-2.0
// What a field of a message may be. Everything throws Error{BadInput} that names the field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/names.h"

namespace espalier {

inline constexpr std::size_t kLongestText = 1000;

[[noreturn]] void refuse_field(std::string_view field, std::string_view why);

std::string checked_name(std::string_view field, const std::string& value);
// One line of UTF-8.
std::string checked_text(std::string_view field, const std::string& value);
double checked_number(std::string_view field, double value, double least, double most);
std::int64_t checked_count(std::string_view field, std::int64_t value, std::int64_t least,
                           std::int64_t most);
// `digest` is the 32 bytes themselves.
ObjectRef checked_object(std::string_view field, const std::string& digest, std::uint64_t size);

// What checked_text lets pass, as near to `text` as can be.
std::string as_one_line(std::string_view text);
// The bytes that 64 hexadecimal digits stand for. REQUIRES: is_object_ref.
std::string digest_bytes(const ObjectRef& object);

}  // namespace espalier
