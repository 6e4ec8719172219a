// SPDX-License-Identifier: Apache-2.0
// Networks as bytes: a file of tensors (tensor_file.h) whose metadata holds the architecture.
// Momentum is "momentum/NAME". docs/networks.md tells the details.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "networks/tensors.h"

namespace espalier {

// The same network gives the same bytes. REQUIRES: valid, or Error{BadInput}.
std::string model_bytes(const Network& network);

// `source` begins the messages: a path, or who sent it. The result is valid.
Network model_from_bytes(std::string_view bytes, const std::string& source);

// All or nothing: see durable_file.h.
void save_model(const Network& network, const std::filesystem::path& path);

Network load_model(const std::filesystem::path& path);

}  // namespace espalier
