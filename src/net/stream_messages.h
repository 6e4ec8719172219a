// SPDX-License-Identifier: Apache-2.0
// Messages between the bytes of objects, and what a stream begins with.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/line.h"

namespace espalier {

// The first bytes of a stream, before TLS. No connection of gRPC begins like that.
inline constexpr std::string_view kStreamPreamble = "objects1";

// With its length before it.
std::string framed(const std::string& message);

// What comes, one whole after the other, and never more than that is taken from the line. Owned by
// one thread at a time.
class Inbox {
 public:
  // Nothing: wait, or see the line's failure.
  std::optional<std::string> bytes(Line& line, std::size_t count);
  // The same. Throws Error{BadInput} for one that is too long.
  std::optional<std::string> message(Line& line);

 private:
  std::string come_;
  std::optional<std::size_t> length_;
};

}  // namespace espalier
