// SPDX-License-Identifier: Apache-2.0
// Named tensors as bytes, in the safetensors layout: the length of a header (8 bytes,
// little-endian), the header (JSON), and the tensors one after the other, sorted by name, without
// holes. The header's metadata tells what they belong to, and holds a checksum.
//
// Reading never runs code, never allocates more than a small multiple of the bytes that are really
// there, and fails with Error{BadInput} on anything that isn't exactly such a file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.h"
#include "io/tensor_header.h"
#include "networks/tensors.h"

namespace espalier {

// Borrows the tensor.
struct NamedTensor {
  std::string name;
  const Tensor* tensor;
};

// Hands the file to `write`, piece by piece. The same tensors give the same bytes.
void write_tensor_file(const TensorFileKind& kind, const std::string& subject,
                       std::vector<NamedTensor> tensors,
                       const std::function<void(std::string_view)>& write);

// In two steps, so that what the file is said to hold can be judged before any of it is in memory.
// Owned by one thread; borrows the source.
class TensorFileReader {
 public:
  // Reads the header.
  TensorFileReader(const TensorFileKind& kind, ByteSource& source);

  const std::string& subject() const { return header_.subject; }
  uint64_t data_size() const { return source_.size() - data_begin_; }
  // By name.
  const std::vector<TensorEntry>& entries() const { return header_.tensors; }
  // One of them. The sum is not checked.
  Tensor read(const TensorEntry& entry) { return read_tensor(entry); }

  // All of them, as many bytes as data_size() says. Checks the sum.
  Tensors read();
  // Hands them on one by one, and checks the sum at the end.
  void read_each(const std::function<void(const std::string& name, Tensor tensor)>& use);

 private:
  Tensor read_tensor(const TensorEntry& entry);

  ByteSource& source_;
  uint64_t data_begin_ = 0;
  TensorHeader header_;
};

}  // namespace espalier
