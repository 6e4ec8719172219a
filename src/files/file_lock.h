// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <chrono>
#include <sys/file.h>
#include <thread>

namespace espalier {

// Whether nobody else has the file's lock, which is taken then; otherwise errno tells why not. Asks
// for a second: whoever was killed while starting another process leaves its lock with that one
// until it has begun.
inline bool take_lock(int descriptor) {
  constexpr int kTries = 50;
  for (int i = 0; i < kTries; ++i) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  errno = EWOULDBLOCK;
  return false;
}

}  // namespace espalier
