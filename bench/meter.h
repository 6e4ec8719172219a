// SPDX-License-Identifier: Apache-2.0
// How long something takes, and how much memory.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <sys/types.h>
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

// The most memory that a process ever held (VmHWM); 0 where there is no such process. Linux only.
std::int64_t peak_bytes_of(pid_t process);

inline constexpr std::size_t kFewestRuns = 5;
inline constexpr std::size_t kMostRuns = 101;
inline constexpr double kEnoughSeconds = 0.5;
inline constexpr double kLongSeconds = 5;

// The middle of several runs, more of them if they are short; a run that takes long is not
// repeated.
template <class Work>
double median_seconds(Work&& work) {
  std::vector<double> seconds;
  const Stopwatch total;
  while (seconds.size() < kFewestRuns ||
         (seconds.size() < kMostRuns && total.seconds() < kEnoughSeconds)) {
    const Stopwatch watch;
    work();
    seconds.push_back(watch.seconds());
    if (seconds.back() > kLongSeconds) break;
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

}  // namespace espalier::bench
