// SPDX-License-Identifier: Apache-2.0
// Random bytes, and sound ones that were damaged, for everything that reads what others wrote. The
// same ones each time; the programs in fuzz/ search for others.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace espalier::support {

// So many go into each decoder with every change, and when slow tests run.
inline constexpr std::size_t kSomeBytes = 500'000;
inline constexpr std::size_t kAllBytes = 10'000'000;

struct Decoder {
  std::string name;
  std::vector<std::string> samples;  // sound ones
  // Reads bytes and writes what it understood, or nothing where that is not written. Throws Error
  // for what it refuses.
  std::function<std::string(std::string_view bytes)> again;
  std::vector<ErrorCode> refusals{ErrorCode::BadInput};  // that it may throw
};

// Fails the test unless each input is either refused with an Error or understood, and survives
// another round then. Fails, too, where an input takes long or much memory.
void expect_sound(const std::vector<Decoder>& decoders, std::size_t bytes);

}  // namespace espalier::support
