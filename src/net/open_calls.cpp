// SPDX-License-Identifier: Apache-2.0
#include "net/open_calls.h"

#include "net/call.h"

namespace espalier {

void OpenCalls::add(const std::shared_ptr<Call>& call) {
  const std::lock_guard lock(mutex_);
  calls_[call.get()] = call;
}

void OpenCalls::remove(const Call& call) {
  const std::lock_guard lock(mutex_);
  calls_.erase(&call);
}

std::vector<std::shared_ptr<Call>> OpenCalls::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Call>> calls;
  for (const auto& [unused, call] : calls_) {
    if (auto there = call.lock()) calls.push_back(std::move(there));
  }
  return calls;
}

}  // namespace espalier
