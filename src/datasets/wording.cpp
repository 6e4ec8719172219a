// SPDX-License-Identifier: Apache-2.0
#include "datasets/wording.h"

#include "core/error.h"

namespace espalier {
namespace {

std::string printable(std::string_view text) {
  std::string safe(text);
  for (char& c : safe) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = '?';
  }
  return safe;
}

}  // namespace

void refuse(std::string_view file, std::string_view what, std::string hint) {
  throw Error(ErrorCode::BadInput, printable(file) + ": " + printable(what), std::move(hint));
}

std::string counted(std::size_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return counted(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace espalier
