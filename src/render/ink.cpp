// SPDX-License-Identifier: Apache-2.0
#include "render/ink.h"

namespace espalier {
namespace {

std::string_view code_of(Style style) {
  switch (style) {
    case Style::Plain:
      return "";
    case Style::Bold:
      return "1";
    case Style::Dim:
      return "2";
    case Style::Good:
      return "32";
    case Style::Warning:
      return "33";
    case Style::Bad:
      return "31";
    case Style::Accent:
      return "36";
  }
  return "";
}

}  // namespace

std::string Ink::operator()(Style style, std::string_view text) const {
  const std::string_view code = code_of(style);
  if (!on_ || code.empty() || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace espalier
