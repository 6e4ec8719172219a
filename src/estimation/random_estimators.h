// SPDX-License-Identifier: Apache-2.0
// Networks that nobody fitted, and histories for them; for tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "estimation/fresh_estimator.h"

namespace espalier::support {

inline History falling_history(std::size_t losses, std::size_t stage, double prune) {
  History history{{}, {prune, 5000, 10}, stage};
  for (std::size_t k = 0; k < losses; ++k) {
    const auto place = static_cast<double>(k);
    history.losses.push_back(0.3 + 2 / std::sqrt(1 + place) + 0.05 * std::sin(7 * place));
  }
  return history;
}

inline Tensors random_run_network(std::uint64_t seed, const RunShape& shape = {}) {
  const History history = falling_history(30, 3, 0.5);
  const std::vector tables{run_table({history.losses, history.now, history.stage})};
  return fresh_weights(shape, tables, seed);
}

inline Tensors random_change_network(std::uint64_t seed, const ChangeShape& shape = {}) {
  const std::vector<ChangeExample> examples(3, {{0, 0.5, {1, 0.9, 0.8, 0.7, 0.6}}, 1.3});
  return fresh_weights(shape, change_table(examples), seed);
}

}  // namespace espalier::support
