// SPDX-License-Identifier: Apache-2.0
#include "node/heartbeat.h"

#include "core/error.h"

namespace espalier {

Heartbeat::Heartbeat(Link& link, Hello hello, std::string run, std::chrono::milliseconds interval)
    : link_(link),
      hello_(std::move(hello)),
      run_(std::move(run)),
      interval_(std::max(interval, std::chrono::milliseconds(10))),
      thread_([this](std::stop_token stop) { beat_until_stopped(stop); }) {}

Heartbeat::~Heartbeat() {
  thread_.request_stop();
  wake_.notify_all();
}

std::stop_token Heartbeat::begin(const TaskId& task) {
  const std::lock_guard guard(mutex_);
  at_ = AtWork(task);
  withdrawn_ = std::stop_source();
  return withdrawn_.get_token();
}

void Heartbeat::tell(double done) {
  const std::lock_guard guard(mutex_);
  if (at_) at_->done = done;
}

bool Heartbeat::end() {
  const std::lock_guard link_guard(link_mutex_);
  const std::lock_guard guard(mutex_);
  at_.reset();
  return withdrawn_.stop_requested();
}

void Heartbeat::beat_until_stopped(std::stop_token stop) {
  while (!stop.stop_requested()) {
    beat(stop);
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stop, interval_, [] { return false; });
  }
}

void Heartbeat::beat(std::stop_token stop) {
  std::optional<AtWork> at;
  {
    const std::lock_guard guard(mutex_);
    at = at_;
  }
  try {
    if (!link_.heartbeat(at, stop) && at) withdraw(at->task);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::NotAllowed) enrol_anew(stop);
  }
}

// Only at a task: then its owner does not use the link, and will not notice for long.
void Heartbeat::enrol_anew(std::stop_token stop) {
  const std::lock_guard link_guard(link_mutex_);
  std::optional<AtWork> at;
  {
    const std::lock_guard guard(mutex_);
    at = at_;
  }
  if (!at) return;
  try {
    if (link_.enrol(hello_, stop).run != run_) withdraw(at->task);
  } catch (const Error&) {
    return;
  }
}

void Heartbeat::withdraw(const TaskId& task) {
  const std::lock_guard guard(mutex_);
  if (at_ && at_->task == task) withdrawn_.request_stop();
}

}  // namespace espalier
