// SPDX-License-Identifier: Apache-2.0
#include "net/open_calls.h"

#include "core/error.h"
#include "net/call.h"

namespace espalier {

void OpenCalls::add(const std::shared_ptr<Call>& call) {
  const std::lock_guard lock(mutex_);
  const std::string& name = call->caller().node.value;
  const auto found = by_node_.find(name);
  if (found == by_node_.end() && by_node_.size() >= limits_.most_nodes)
    throw Error(ErrorCode::RunFailed, "too many nodes at the same time");
  if (found != by_node_.end() && found->second >= limits_.most_per_node)
    throw Error(ErrorCode::RunFailed, "too many calls of one node at the same time");
  calls_[call.get()] = call;
  ++by_node_[name];
}

void OpenCalls::remove(const Call& call) {
  const std::lock_guard lock(mutex_);
  if (calls_.erase(&call) == 0) return;
  const auto found = by_node_.find(call.caller().node.value);
  if (--found->second == 0) by_node_.erase(found);
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
