// SPDX-License-Identifier: Apache-2.0
// A stop token that is triggered after some time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "core/units.h"

namespace espalier::bench {

// Runs from construction to destruction.
class Timeout {
 public:
  explicit Timeout(Seconds limit)
      : timer_([this, limit](const std::stop_token& ended) { wait(limit, ended); }) {}

  std::stop_token token() const { return source_.get_token(); }

 private:
  void wait(Seconds limit, const std::stop_token& ended) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any changed;
    changed.wait_for(lock, ended, std::chrono::duration<double>(limit.value), [] { return false; });
    if (!ended.stop_requested()) source_.request_stop();
  }

  std::stop_source source_;
  std::jthread timer_;
};

}  // namespace espalier::bench
