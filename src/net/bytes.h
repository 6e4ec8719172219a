// SPDX-License-Identifier: Apache-2.0
// Our bytes and gRPC's.
#pragma once

#include <string>

#include <grpcpp/support/byte_buffer.h>

namespace espalier {

grpc::ByteBuffer to_buffer(const std::string& bytes);
// Throws Error{BadInput} for what is too long.
std::string to_string(const grpc::ByteBuffer& buffer);

}  // namespace espalier
