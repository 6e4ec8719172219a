// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "net/stream_messages.h"
#include "support/fuzzing/fuzzed_bytes.h"
#include "support/messages.h"

namespace espalier {
namespace {

// All that one side says: a preamble, then requests.
std::string requests_in(Line& line) {
  Inbox inbox;
  const auto preamble = inbox.bytes(line, kStreamPreamble.size());
  if (preamble != kStreamPreamble) throw Error(ErrorCode::BadInput, "not a stream of objects");
  std::string again = *preamble;
  while (const auto message = inbox.message(line))
    again += framed(encode(decode_request(*message)));
  return again;
}

std::string stream_again(std::string_view bytes) {
  int ends[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  Line line{Descriptor(ends[0])};
  {
    const Descriptor speaker(ends[1]);
    EXPECT_EQ(::send(speaker.value(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  return requests_in(line);
}

TEST(FuzzedStream, IsRefusedOrUnderstood) {
  std::string sample(kStreamPreamble);
  for (const MessageKind& kind : message_kinds())
    if (kind.name == "request" || kind.name == "offer") sample += framed(kind.sample);
  support::expect_sound(
      {{"stream", {sample}, stream_again, {ErrorCode::BadInput, ErrorCode::NotAllowed}}},
      support::kAllBytes);
}

}  // namespace
}  // namespace espalier
