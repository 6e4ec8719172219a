// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace espalier {
namespace {

// Thread-safe.
class Failure {
 public:
  void note(std::size_t index, std::exception_ptr what) {
    const std::lock_guard lock(mutex_);
    if (what_ && index > index_) return;
    index_ = index;
    what_ = std::move(what);
  }
  void rethrow() const {
    if (what_) std::rethrow_exception(what_);
  }

 private:
  std::mutex mutex_;
  std::size_t index_ = 0;
  std::exception_ptr what_;
};

}  // namespace

unsigned worker_count(std::size_t count, unsigned workers) {
  if (workers == 0) workers = std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<std::size_t>(count, 1, workers));
}

void for_each_index(std::size_t count, unsigned workers,
                    const std::function<void(unsigned, std::size_t)>& job) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  Failure failure;
  const auto work = [&](unsigned worker) {
    for (std::size_t i = next++; i < count && !failed; i = next++) {
      try {
        job(worker, i);
      } catch (...) {
        failure.note(i, std::current_exception());
        failed = true;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned w = 1; w < worker_count(count, workers); ++w) threads.emplace_back(work, w);
    work(0);
  }
  failure.rethrow();
}

}  // namespace espalier
