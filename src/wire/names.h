// SPDX-License-Identifier: Apache-2.0
// Names that cross machine borders: of nodes, and of things that are too large for a message.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

// [A-Za-z0-9._-]{1,64}, and not made of dots alone: safe as the name of a file.
bool is_wire_name(std::string_view name);

// Who a node is: the name in its certificate.
struct NodeName {
  std::string value;
  friend auto operator<=>(const NodeName&, const NodeName&) = default;
};

// A model or an update, known by what is in it.
struct ObjectRef {
  std::string sha256;  // 64 lower-case hexadecimal digits
  std::uint64_t size = 0;
  friend auto operator<=>(const ObjectRef&, const ObjectRef&) = default;
};

bool is_object_ref(const ObjectRef& ref);

}  // namespace espalier
