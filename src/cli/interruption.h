// SPDX-License-Identifier: Apache-2.0
// Reasons to stop early: Ctrl-C, a termination signal, a time limit.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <stop_token>
#include <thread>

namespace espalier {

// While it lives, the first SIGINT or SIGTERM or the end of the time limit requests a stop; a
// second signal ends the program at once. One at a time. Thread-safe.
class Interruption {
 public:
  explicit Interruption(std::optional<std::chrono::duration<double>> limit = std::nullopt);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  bool by_user() const { return by_user_; }

 private:
  void wait(std::optional<std::chrono::duration<double>> limit);

  std::stop_source source_;
  std::atomic<bool> by_user_{false};
  std::jthread waiter_;
};

}  // namespace espalier
