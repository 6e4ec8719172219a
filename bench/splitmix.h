// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>

namespace espalier::bench {

// Steele, Lea and Flood's SplitMix64. Owned by one thread.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
  }
  // Uniform in its logarithm. REQUIRES: 0 < low ≤ high.
  double log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  // One of 0 … count − 1.
  int below(int count) { return static_cast<int>(uniform(0, count)); }

 private:
  std::uint64_t state_;
};

}  // namespace espalier::bench
