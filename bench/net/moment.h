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

// Nothing where there is no such process.
inline double processor_seconds_of(pid_t process) {
  clockid_t clock{};
  return ::clock_getcpuclockid(process, &clock) == 0 ? seconds_of(clock) : 0;
}

// Both must be alive.
inline Moment moment_of(pid_t one, pid_t other) {
  return {seconds_of(CLOCK_MONOTONIC), processor_seconds_of(one) + processor_seconds_of(other)};
}

inline Moment operator-(const Moment& a, const Moment& b) {
  return {a.wall - b.wall, a.processor - b.processor};
}

}  // namespace espalier::bench
