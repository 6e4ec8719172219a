// SPDX-License-Identifier: Apache-2.0
// Any bytes as one kind of message: no crash, and what is understood survives the round trip. One
// program for each decoder; ESPALIER_MESSAGE says which.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "core/error.h"
#include "sound_start.h"
#include "support/messages.h"

namespace {

const espalier::MessageKind& kind() {
  for (const espalier::MessageKind& one : espalier::message_kinds())
    if (one.name == ESPALIER_MESSAGE) return one;
  std::abort();
}

std::optional<std::string> understood(std::string_view bytes) {
  using espalier::ErrorCode;
  try {
    return kind().again(bytes);
  } catch (const espalier::Error& error) {
    if (error.code() != ErrorCode::BadInput && error.code() != ErrorCode::NotAllowed) std::abort();
  }
  return {};
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                               std::size_t most, unsigned /*seed*/) {
  return mutate_sound(kind().sample, bytes, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto once = understood({reinterpret_cast<const char*>(bytes), size});
  if (once && understood(*once) != once) std::abort();
  return 0;
}
