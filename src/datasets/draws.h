// SPDX-License-Identifier: Apache-2.0
// A sequence of random draws, the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "realisations/rng.h"

namespace espalier {

// Owned by one thread. Sequences of different purposes have nothing to do with each other.
class Draws {
 public:
  Draws(std::uint64_t seed, std::string_view purpose, std::uint64_t number = 0);

  std::uint64_t bits();
  // In (0, 1).
  double uniform();
  double normal();
  // 0 … count − 1, all equally likely. REQUIRES: count > 0.
  std::uint64_t below(std::uint64_t count);
  // The logarithm of a gamma variate of that shape and scale 1: even shapes near 0 do not
  // underflow.
  double log_gamma(double shape);

 private:
  CounterRng rng_;
  DrawKey key_;
};

// All orders equally likely.
template <class T>
void shuffle(std::vector<T>& items, Draws& draws) {
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[draws.below(left)]);
  }
}

}  // namespace espalier
