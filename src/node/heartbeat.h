// SPDX-License-Identifier: Apache-2.0
// Signs of life, from a thread of their own: a long epoch is no death.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "wire/link.h"

namespace espalier {

// Beats while it lives. While its owner is at a task it also enrols anew with an orchestrator that
// does not know it any more; otherwise the owner finds out by itself. Owned by one thread.
class Heartbeat {
 public:
  // `link` must outlive it.
  Heartbeat(Link& link, Hello hello, std::string run, std::chrono::milliseconds interval);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  // From now on at this task. The token is for whoever does it: stopped when nobody waits for it
  // any more.
  std::stop_token begin(const TaskId& task);
  // So much of it is done, as a share.
  void tell(double done);
  // No longer at it. True if it was withdrawn.
  bool end();

 private:
  void beat_until_stopped(std::stop_token stop);
  void beat(std::stop_token stop);
  void enrol_anew(std::stop_token stop);
  void withdraw(const TaskId& task);

  Link& link_;
  const Hello hello_;
  const std::string run_;
  const std::chrono::milliseconds interval_;

  std::mutex
      link_mutex_;  // held while this thread enrols: its owner waits before it calls the link
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<AtWork> at_;  // these two guarded by mutex_
  std::stop_source withdrawn_;

  std::jthread thread_;
};

}  // namespace espalier
