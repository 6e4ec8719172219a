// SPDX-License-Identifier: Apache-2.0
// Nobody waits for an answer for ever.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace espalier {

// Requests a stop after a while, unless it is destroyed before.
class TimeLimit {
 public:
  explicit TimeLimit(std::chrono::milliseconds limit);
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::mutex mutex_;
  std::condition_variable_any waiting_;
  std::jthread waiter_;
};

}  // namespace espalier
