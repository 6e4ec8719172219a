// SPDX-License-Identifier: Apache-2.0
// Threads for what may wait for a disk.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace espalier {

// Work begins in the order in which it came. Thread-safe.
class Workers {
 public:
  explicit Workers(int count);
  // Finishes what was posted.
  ~Workers();

  // REQUIRES: `work` does not throw.
  void post(std::function<void()> work);

 private:
  void serve(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> waiting_;  // guarded by mutex_
  std::vector<std::jthread> threads_;
};

}  // namespace espalier
