// SPDX-License-Identifier: Apache-2.0
#include "net/bytes.h"

#include <algorithm>
#include <memory>

#include "core/error.h"
#include "messages/codec.h"

namespace espalier {
namespace {

using Room = std::unique_ptr<char[]>;

std::string_view view_of(const grpc::Slice& slice) {
  return {reinterpret_cast<const char*>(slice.begin()), slice.size()};
}

}  // namespace

grpc::ByteBuffer to_buffer(std::string bytes) {
  auto owned = std::make_unique<std::string>(std::move(bytes));
  char* data = owned->data();
  const std::size_t size = owned->size();
  const grpc::Slice slice(
      data, size,
      [](void* string) { std::unique_ptr<std::string>(static_cast<std::string*>(string)).reset(); },
      owned.release());
  return {&slice, 1};
}

grpc::ByteBuffer to_buffer(std::string_view front, std::size_t bytes,
                           const std::function<void(std::span<char>)>& fill) {
  Room room = std::make_unique_for_overwrite<char[]>(front.size() + bytes);
  std::ranges::copy(front, room.get());
  fill({room.get() + front.size(), bytes});
  const grpc::Slice slice(room.release(), front.size() + bytes,
                          [](void* data) { Room(static_cast<char*>(data)).reset(); });
  return {&slice, 1};
}

std::string to_string(const grpc::ByteBuffer& buffer) {
  const Message message(buffer);
  return message.start(message.size());
}

Message::Message(const grpc::ByteBuffer& buffer) : size_(buffer.Length()) {
  if (size_ > kLargestMessage) throw Error(ErrorCode::BadInput, "too long a message");
  if (!buffer.Dump(&slices_).ok()) throw Error(ErrorCode::BadInput, "no message that can be read");
}

std::string Message::start(std::size_t bytes) const {
  std::string all;
  all.reserve(std::min(bytes, size_));
  for (const grpc::Slice& slice : slices_) {
    if (all.size() == bytes) break;
    all += view_of(slice).substr(0, bytes - all.size());
  }
  return all;
}

std::vector<std::string_view> Message::from(std::size_t begin) const {
  std::vector<std::string_view> parts;
  parts.reserve(slices_.size());
  for (const grpc::Slice& slice : slices_) {
    const std::size_t skipped = std::min(begin, slice.size());
    begin -= skipped;
    if (skipped < slice.size()) parts.push_back(view_of(slice).substr(skipped));
  }
  return parts;
}

}  // namespace espalier
