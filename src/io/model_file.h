// SPDX-License-Identifier: Apache-2.0
// Networks as bytes: a file of tensors (tensor_file.h) whose metadata holds the architecture.
// Momentum is "momentum/NAME". docs/networks.md tells the details.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "io/byte_source.h"
#include "io/tensor_file.h"
#include "networks/tensors.h"

namespace espalier {

// The same network gives the same bytes. REQUIRES: valid, or Error{BadInput}.
std::string model_bytes(const Network& network);
// The same bytes, piece by piece.
void write_model(const Network& network, const std::function<void(std::string_view)>& write);

// `source` begins the messages: a path, or who sent it. The result is valid.
Network model_from_bytes(std::string_view bytes, const std::string& source);

// All or nothing: see durable_file.h.
void save_model(const Network& network, const std::filesystem::path& path);

Network load_model(const std::filesystem::path& path);

// A model tensor by tensor: no more of it than that is ever in memory. Owned by one thread; borrows
// the source.
class ModelReader {
 public:
  // Reads the header. Throws Error{BadInput} unless the tensors are exactly those of the
  // architecture.
  explicit ModelReader(ByteSource& source);

  const Architecture& architecture() const { return architecture_; }
  // As in the file: momentum has a prefix.
  const std::vector<TensorEntry>& entries() const { return file_.entries(); }
  // Some values of one of them. The sum is not checked.
  void read(const TensorEntry& entry, uint64_t first, std::span<float> values) {
    file_.read(entry, first, values);
  }
  // Hands all values on, some of one tensor at a time, and checks the sum at the end.
  void read_pieces(
      const std::function<void(const std::string& name, std::span<const float> values)>& use) {
    file_.read_pieces(use);
  }

 private:
  TensorFileReader file_;
  Architecture architecture_;
};

// The front of a model whose values come piece by piece. `has_momentum` tells for which weights
// there is some.
TensorFileFront model_front(const Architecture& architecture,
                            const std::function<bool(const std::string& weight)>& has_momentum);

// The name of a tensor of the momentum in a file.
std::string momentum_name(const std::string& weight);

}  // namespace espalier
