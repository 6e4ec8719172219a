// SPDX-License-Identifier: Apache-2.0
// Sums up what layers take, for networks/absorption.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "networks/absorption.h"
#include "training/torch/aten.h"

namespace espalier {

// Owned by one thread.
class MomentSums {
 public:
  // REQUIRES: a valid architecture.
  explicit MomentSums(const Architecture& architecture);

  // A batch of what a layer takes.
  void add(LayerId layer, const at::Tensor& input);
  InputMoments moments() const;

 private:
  struct Sums {
    std::string layer;
    int64_t channels = 0;
    double count = 0;       // images × places
    at::Tensor firsts{};    // per channel
    at::Tensor products{};  // per pair of channels
  };

  std::vector<std::optional<Sums>> sums_;  // per layer; none where nothing can be pruned in front
};

}  // namespace espalier
