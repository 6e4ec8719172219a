// SPDX-License-Identifier: Apache-2.0
// Our bytes and gRPC's.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>

namespace espalier {

// Without copying.
grpc::ByteBuffer to_buffer(std::string bytes);
// A message of a front and so many bytes, which `fill` puts where they are sent from: in parts as
// short as those that come from gRPC are, so that either has room where the other was.
grpc::ByteBuffer to_buffer(std::string_view front, std::size_t bytes,
                           const std::function<void(std::span<const std::span<char>>)>& fill);
// Throws Error{BadInput} for what is too long.
std::string to_string(const grpc::ByteBuffer& buffer);

// A message where gRPC has it. Immutable.
class Message {
 public:
  // Throws Error{BadInput} for what is too long.
  explicit Message(const grpc::ByteBuffer& buffer);

  std::size_t size() const { return size_; }
  // Its first bytes, so many at most.
  std::string start(std::size_t bytes) const;
  // All others, as long as this is there.
  std::vector<std::string_view> from(std::size_t begin) const;

 private:
  std::size_t size_;
  std::vector<grpc::Slice> slices_;
};

}  // namespace espalier
