// SPDX-License-Identifier: Apache-2.0
#include "net/workers.h"

#include <algorithm>

namespace espalier {

Workers::Workers(int count) {
  for (int i = 0; i < std::max(count, 1); ++i)
    threads_.emplace_back([this](const std::stop_token& stop) { serve(stop); });
}

Workers::~Workers() {
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

void Workers::post(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(work));
  changed_.notify_one();
}

void Workers::serve(const std::stop_token& stop) {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [&] { return !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
  }
}

}  // namespace espalier
