// SPDX-License-Identifier: Apache-2.0
// How far long work has come: one line that changes on a terminal, rare plain lines elsewhere.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace espalier {

// Says nothing about work that is done within a second. Thread-safe.
class Progress {
 public:
  Progress(std::string what, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add_one();

 private:
  using Clock = std::chrono::steady_clock;
  void tell(Clock::time_point now);

  const std::string what_;
  const std::size_t total_;
  const bool on_terminal_;
  const Clock::time_point begin_;
  std::mutex mutex_;
  std::size_t done_ = 0;
  Clock::time_point next_;
  bool told_ = false;
};

}  // namespace espalier
