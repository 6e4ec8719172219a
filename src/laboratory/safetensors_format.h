// SPDX-License-Identifier: Apache-2.0
// Networks of experiments in model files.
#pragma once

#include "experiments/network_format.h"
#include "io/model_file.h"

namespace espalier {

// Immutable.
class SafetensorsFormat final : public NetworkFormat {
 public:
  void save(const Network& network, const std::filesystem::path& path) const override {
    save_model(network, path);
  }
  Network load(const std::filesystem::path& path) const override { return load_model(path); }
};

}  // namespace espalier
