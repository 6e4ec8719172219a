// SPDX-License-Identifier: Apache-2.0
// How long something takes, and how much memory.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace espalier::bench {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// The most memory the process held since this was made, beyond what it held then. Linux only.
class MemoryMeter {
 public:
  MemoryMeter();
  std::int64_t peak_bytes() const;

 private:
  std::int64_t before_ = 0;
};

inline constexpr std::size_t kRepeats = 5;
inline constexpr double kLongSeconds = 5;

// The middle of several runs; runs that take long are not repeated.
template <class Work>
double median_seconds(Work&& work) {
  std::vector<double> seconds;
  while (seconds.size() < kRepeats) {
    const Stopwatch watch;
    work();
    seconds.push_back(watch.seconds());
    if (seconds.back() > kLongSeconds) return seconds.back();
  }
  std::ranges::sort(seconds);
  return seconds[kRepeats / 2];
}

}  // namespace espalier::bench
