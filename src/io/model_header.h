// SPDX-License-Identifier: Apache-2.0
// The header of a model file: what is where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "networks/architecture.h"

namespace espalier {

// One tensor in the data that follows the header.
struct TensorEntry {
  std::string name;
  std::vector<int64_t> shape;
  uint64_t begin = 0;  // bytes from the start of the data
  uint64_t end = 0;
};

struct ModelHeader {
  std::string architecture;  // as JSON; the checksum covers it
  uint32_t checksum = 0;
  std::vector<TensorEntry> tensors;  // by name
};

constexpr std::size_t kLongestModelHeader = std::size_t{4} << 20;

// The JSON, padded with spaces to a multiple of 8 bytes so that the data behind it is aligned.
std::string model_header_text(const ModelHeader& header);

// Throws Error{BadInput}, beginning with `source`, unless the tensors are of 32-bit floats, fill
// `data_size` bytes in the order of their names without hole or overlap, and have shapes that fit.
ModelHeader read_model_header(std::string_view text, uint64_t data_size, const std::string& source);

}  // namespace espalier
