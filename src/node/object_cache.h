// SPDX-License-Identifier: Apache-2.0
// The networks and updates that a node keeps: files below one folder, named by their digests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wire/names.h"

namespace espalier {

// Nobody else writes to the folder: a lock keeps other agents out. Owned by one thread.
class ObjectCache {
 public:
  // Throws Error{BadInput} where the folder cannot be used or another agent uses it.
  ObjectCache(std::filesystem::path folder, std::uint64_t most_bytes);
  ~ObjectCache();
  ObjectCache(const ObjectCache&) = delete;
  ObjectCache& operator=(const ObjectCache&) = delete;

  // REQUIRES: is_object_ref(object).
  std::filesystem::path path_of(const ObjectRef& object) const;
  // Whether it is here, whole and with the right digest; what is damaged is removed.
  bool has(const ObjectRef& object);
  // Removes what was not used for longest, until `object` has room. All else may have to go.
  void make_room(const ObjectRef& object);
  // All or nothing. Throws Error{RunFailed}.
  ObjectRef put(std::string_view bytes);

 private:
  struct Entry {
    std::filesystem::path path;
    std::uint64_t size = 0;
    std::filesystem::file_time_type used{};
  };
  std::vector<Entry> entries() const;

  const std::filesystem::path folder_;
  const std::uint64_t most_bytes_;
  int lock_ = -1;
  std::set<std::string> checked_;  // digests that were computed by this process
};

}  // namespace espalier
