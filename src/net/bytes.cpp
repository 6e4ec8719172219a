// SPDX-License-Identifier: Apache-2.0
#include "net/bytes.h"

#include <algorithm>
#include <memory>

#include <grpc/slice.h>

#include "core/error.h"
#include "messages/codec.h"

namespace espalier {
namespace {

constexpr std::size_t kPartBytes = 8192;

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
                           const std::function<void(std::span<const std::span<char>>)>& fill) {
  std::vector<grpc::Slice> slices{grpc::Slice(front.data(), front.size())};
  std::vector<std::span<char>> room;
  for (std::size_t left = bytes; left > 0; left -= room.back().size()) {
    grpc_slice part = grpc_slice_malloc_large(std::min(left, kPartBytes));
    room.emplace_back(reinterpret_cast<char*>(GRPC_SLICE_START_PTR(part)), GRPC_SLICE_LENGTH(part));
    slices.emplace_back(part, grpc::Slice::STEAL_REF);
  }
  fill(room);
  return {slices.data(), slices.size()};
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
