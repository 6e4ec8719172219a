// SPDX-License-Identifier: Apache-2.0
// How many calls and streams there may be at the same time: of one node, and nodes.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "wire/names.h"

namespace espalier {

struct PlaceLimits {
  std::size_t most_nodes = 1000;
  int most_per_node = 16;
};

// Thread-safe.
class Places {
 public:
  explicit Places(PlaceLimits limits) : limits_(limits) {}

  // From construction to destruction. The places must outlive it.
  class Place {
   public:
    // Throws Error{RunFailed} where there is none.
    Place(Places& owner, const NodeName& node) : owner_(owner), node_(node.value) {
      owner_.take(node_);
    }
    ~Place() { owner_.give_back(node_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    Places& owner_;
    const std::string node_;
  };

 private:
  void take(const std::string& node);
  void give_back(const std::string& node);

  const PlaceLimits limits_;
  std::mutex mutex_;
  std::map<std::string, int> by_node_;  // guarded by mutex_
};

}  // namespace espalier
