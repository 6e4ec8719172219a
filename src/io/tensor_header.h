// SPDX-License-Identifier: Apache-2.0
// The header of a file of tensors: what it is, and what is where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// One tensor in the data that follows the header.
struct TensorEntry {
  std::string name;
  std::vector<int64_t> shape;
  uint64_t begin = 0;  // bytes from the start of the data
  uint64_t end = 0;
};

// What a file holds. Each kind of file has one of these.
struct TensorFileKind {
  const char* format = "";   // "espalier-network-1": who may read it
  const char* subject = "";  // the key in the metadata for what the tensors belong to
  const char* noun = "";     // for messages: "model"
};

struct TensorHeader {
  std::string subject;  // as text; the checksum covers it
  uint32_t checksum = 0;
  std::vector<TensorEntry> tensors;  // by name
};

constexpr std::size_t kLongestTensorHeader = std::size_t{4} << 20;

// The JSON, padded with spaces to a multiple of 8 bytes so that the data behind it is aligned.
std::string tensor_header_text(const TensorFileKind& kind, const TensorHeader& header);

// Throws Error{BadInput}, beginning with `source`, unless the tensors are of 32-bit floats, fill
// `data_size` bytes in the order of their names without hole or overlap, and have shapes that fit.
TensorHeader read_tensor_header(const TensorFileKind& kind, std::string_view text,
                                uint64_t data_size, const std::string& source);

}  // namespace espalier
