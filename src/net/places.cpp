// SPDX-License-Identifier: Apache-2.0
#include "net/places.h"

#include "core/error.h"

namespace espalier {

void Places::take(const std::string& node) {
  const std::lock_guard lock(mutex_);
  const auto found = by_node_.find(node);
  if (found == by_node_.end() && by_node_.size() >= limits_.most_nodes)
    throw Error(ErrorCode::RunFailed, "too many nodes at the same time");
  if (found != by_node_.end() && found->second >= limits_.most_per_node)
    throw Error(ErrorCode::RunFailed, "too many calls of one node at the same time");
  ++by_node_[node];
}

void Places::give_back(const std::string& node) {
  const std::lock_guard lock(mutex_);
  const auto found = by_node_.find(node);
  if (--found->second == 0) by_node_.erase(found);
}

}  // namespace espalier
