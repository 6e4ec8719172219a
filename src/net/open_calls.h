// SPDX-License-Identifier: Apache-2.0
// The calls that have not ended yet.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace espalier {

class Call;

struct CallLimits {
  std::size_t most_nodes = 1000;
  int most_per_node = 16;
};

// Thread-safe.
class OpenCalls {
 public:
  explicit OpenCalls(CallLimits limits) : limits_(limits) {}

  // Throws Error{RunFailed} where there are too many.
  void add(const std::shared_ptr<Call>& call);
  void remove(const Call& call);
  std::vector<std::shared_ptr<Call>> all() const;

 private:
  const CallLimits limits_;
  mutable std::mutex mutex_;
  std::map<const Call*, std::weak_ptr<Call>> calls_;  // guarded by mutex_
  std::map<std::string, int> by_node_;                // guarded by mutex_
};

}  // namespace espalier
