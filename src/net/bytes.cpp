// SPDX-License-Identifier: Apache-2.0
#include "net/bytes.h"

#include <grpcpp/support/slice.h>

#include "core/error.h"
#include "messages/codec.h"

namespace espalier {

grpc::ByteBuffer to_buffer(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return {&slice, 1};
}

std::string to_string(const grpc::ByteBuffer& buffer) {
  if (buffer.Length() > kLargestMessage) throw Error(ErrorCode::BadInput, "too long a message");
  grpc::Slice slice;
  if (!buffer.DumpToSingleSlice(&slice).ok())
    throw Error(ErrorCode::BadInput, "no message that can be read");
  return {reinterpret_cast<const char*>(slice.begin()), slice.size()};
}

}  // namespace espalier
