// SPDX-License-Identifier: Apache-2.0
// How far long work has come: one line that changes on a terminal, rare plain lines elsewhere.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "core/units.h"

namespace espalier {

// A line of its own on stderr, whoever writes a progress line there meanwhile. Thread-safe.
void tell_aside(const std::string& text);

// The line itself, gone at the end. Nothing is due within the first second. Owned by one thread.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_due() const { return Clock::now() >= next_; }
  void tell(const std::string& text);
  // Makes room on a terminal for what others say.
  void clear();
  // Since it was made.
  Seconds elapsed() const;

 private:
  using Clock = std::chrono::steady_clock;

  const bool on_terminal_;
  const Clock::time_point begin_;
  Clock::time_point next_;
  bool told_ = false;
};

// Work of equal pieces. Thread-safe.
class Progress {
 public:
  Progress(std::string what, std::size_t total) : what_(std::move(what)), total_(total) {}

  void add_one();

 private:
  void tell();

  const std::string what_;
  const std::size_t total_;
  std::mutex mutex_;
  std::size_t done_ = 0;
  ProgressLine line_;
};

}  // namespace espalier
