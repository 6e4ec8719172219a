// SPDX-License-Identifier: Apache-2.0
#include "net/stream_messages.h"

#include <utility>

#include "messages/codec.h"

namespace espalier {

std::string framed(const std::string& message) { return encode_length(message.size()) + message; }

std::optional<std::string> Inbox::bytes(Line& line, std::size_t count) {
  while (come_.size() < count) {
    const std::size_t before = come_.size();
    come_.resize(count);
    const std::size_t now = line.receive(std::span(come_).subspan(before));
    come_.resize(before + now);
    if (now == 0) return {};
  }
  return std::exchange(come_, {});
}

std::optional<std::string> Inbox::message(Line& line) {
  if (!length_) {
    const auto length = bytes(line, 2);
    if (!length) return {};
    length_ = decode_length(*length);
  }
  auto message = bytes(line, *length_);
  if (message) length_.reset();
  return message;
}

}  // namespace espalier
