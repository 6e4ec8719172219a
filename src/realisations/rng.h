// SPDX-License-Identifier: Apache-2.0
// Random numbers without state: each is a function of a seed and of what it is for, so that no draw
// depends on how many were made before it. Identical on every machine: nothing but +, −, ×, ÷ and
// √.
#pragma once

#include <cstdint>
#include <span>

namespace espalier {

// What a draw is for.
struct DrawKey {
  std::uint64_t run = 0;     // number of the realisation
  std::uint64_t stream = 0;  // kind of draw
  std::uint64_t index = 0;   // which of its kind: an epoch number
};

// Immutable.
class CounterRng {
 public:
  explicit CounterRng(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t bits(const DrawKey& key) const;
  // In (0, 1), never an end.
  double uniform(const DrawKey& key) const;
  // Standard normal.
  double normal(const DrawKey& key) const;
  // The same bits several times as fast: z[i] ← normal of run first.run + i.
  void normals(const DrawKey& first, std::span<double> z) const;

 private:
  std::uint64_t seed_;
};

}  // namespace espalier
