// SPDX-License-Identifier: Apache-2.0
// Time by the clock, and processor time of two processes that work together.
#pragma once

#include <ctime>
#include <sys/types.h>

namespace espalier::bench {

struct Moment {
  double wall = 0;
  double processor = 0;
};

inline double seconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// `other` must be alive.
inline Moment moment_with(pid_t other) {
  clockid_t clock{};
  const bool is_there = ::clock_getcpuclockid(other, &clock) == 0;
  return {seconds_of(CLOCK_MONOTONIC),
          seconds_of(CLOCK_PROCESS_CPUTIME_ID) + (is_there ? seconds_of(clock) : 0)};
}

inline Moment operator-(const Moment& a, const Moment& b) {
  return {a.wall - b.wall, a.processor - b.processor};
}

}  // namespace espalier::bench
