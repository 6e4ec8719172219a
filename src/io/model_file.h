// SPDX-License-Identifier: Apache-2.0
// Networks as bytes, in the safetensors layout: the length of a header (8 bytes, little-endian),
// the header (JSON), and the tensors one after the other, sorted by name, without holes. The
// header's metadata holds the architecture and a checksum. Momentum is "momentum/NAME".
// docs/networks.md tells the details.
//
// Reading never runs code, never allocates more than a small multiple of the bytes that are really
// there, and fails with Error{BadInput} on anything that isn't exactly such a file.
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
