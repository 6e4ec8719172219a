// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/fuzzing/fuzzed_bytes.h"
#include "support/messages.h"

namespace espalier {
namespace {

std::vector<support::Decoder> message_decoders() {
  const std::vector refusals{ErrorCode::BadInput, ErrorCode::NotAllowed};
  std::vector<support::Decoder> decoders;
  for (const MessageKind& kind : message_kinds())
    decoders.push_back({kind.name, {kind.sample}, kind.again, refusals});
  decoders.push_back({"length", {encode_length(400)}, [](std::string_view bytes) {
                        return encode_length(decode_length(bytes));
                      }});
  return decoders;
}

TEST(FuzzedMessages, AreRefusedOrUnderstoodByEveryDecoder) {
  support::expect_sound(message_decoders(), support::kAllBytes);
}

}  // namespace
}  // namespace espalier
