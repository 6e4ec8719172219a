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
#include <map>
#include <span>
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

// The front of a file whose values nobody has at one time: they are added in the order of the file,
// piece by piece, and it is known afterwards. Owned by one thread.
class TensorFileFront {
 public:
  // `shapes`: of the tensors, by name. Borrows `kind`.
  TensorFileFront(const TensorFileKind& kind, std::string subject,
                  const std::map<std::string, std::vector<int64_t>>& shapes);

  // In the order of the file.
  const std::vector<TensorEntry>& entries() const { return header_.tensors; }
  // Before the first values of a tensor.
  void begin(const TensorEntry& entry);
  void add(std::span<const float> values);
  // The bytes before the values. REQUIRES: all of them were added.
  std::string text() const;

 private:
  const TensorFileKind& kind_;
  TensorHeader header_;
};

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
  // Values of one of them, from the one of that number on. The sum is not checked.
  void read(const TensorEntry& entry, uint64_t first, std::span<float> values);

  // All of them, as many bytes as data_size() says. Checks the sum.
  Tensors read();
  // Hands their values on, some of one tensor at a time, and checks the sum at the end.
  void read_pieces(
      const std::function<void(const std::string& name, std::span<const float> values)>& use);

 private:
  void require_sum(uint32_t checksum) const;

  ByteSource& source_;
  uint64_t data_begin_ = 0;
  TensorHeader header_;
};

}  // namespace espalier
