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
  Tensor read(const TensorEntry& entry) { return file_.read(entry); }
  // Hands all tensors on, one after the other, and checks the sum at the end.
  void read_all(const std::function<void(const std::string& name, Tensor tensor)>& use) {
    file_.read_each(use);
  }

 private:
  TensorFileReader file_;
  Architecture architecture_;
};

// The name of a tensor of the momentum in a file.
std::string momentum_name(const std::string& weight);

}  // namespace espalier
