// SPDX-License-Identifier: Apache-2.0
// Colour, where there is any.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

enum class Style { Plain, Bold, Dim, Good, Warning, Bad, Accent };

// Immutable.
class Ink {
 public:
  static Ink none() { return Ink(false); }
  static Ink ansi() { return Ink(true); }

  std::string operator()(Style style, std::string_view text) const;

 private:
  explicit Ink(bool on) : on_(on) {}
  bool on_;
};

}  // namespace espalier
