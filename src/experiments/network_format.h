// SPDX-License-Identifier: Apache-2.0
// The role of those who store networks in files.
#pragma once

#include <filesystem>

#include "networks/tensors.h"

namespace espalier {

// Immutable.
class NetworkFormat {
 public:
  virtual ~NetworkFormat() = default;
  // All or nothing, whatever is killed at whatever instant. Throws Error{RunFailed}.
  virtual void save(const Network& network, const std::filesystem::path& path) const = 0;
  // To the last bit what was saved. Throws Error{BadInput}.
  virtual Network load(const std::filesystem::path& path) const = 0;
};

}  // namespace espalier
