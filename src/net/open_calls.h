// SPDX-License-Identifier: Apache-2.0
// The calls that are open.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace espalier {

class Call;

// Thread-safe.
class OpenCalls {
 public:
  void add(const std::shared_ptr<Call>& call);
  void remove(const Call& call);
  std::vector<std::shared_ptr<Call>> all() const;

 private:
  mutable std::mutex mutex_;
  std::map<const Call*, std::weak_ptr<Call>> calls_;  // guarded by mutex_
};

}  // namespace espalier
