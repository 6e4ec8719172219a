// SPDX-License-Identifier: Apache-2.0
#include "net/bytes.h"

#include <memory>
#include <vector>

#include "core/error.h"
#include "messages/codec.h"

namespace espalier {

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

std::string to_string(const grpc::ByteBuffer& buffer) {
  if (buffer.Length() > kLargestMessage) throw Error(ErrorCode::BadInput, "too long a message");
  std::vector<grpc::Slice> slices;
  if (!buffer.Dump(&slices).ok()) throw Error(ErrorCode::BadInput, "no message that can be read");
  std::string bytes;
  bytes.reserve(buffer.Length());
  for (const grpc::Slice& slice : slices)
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return bytes;
}

}  // namespace espalier
