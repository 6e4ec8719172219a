// SPDX-License-Identifier: Apache-2.0
// Flushes and renames of this process, in their order.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

namespace espalier {

struct DiskDeed {
  enum class Kind { Flush, Rename };
  Kind kind = Kind::Flush;
  std::filesystem::path path;  // flushed, or the new name
  bool was_safe = false;       // of what got a new name: whether all of it was flushed before
};

// What `work` did, with this process as a whole.
std::vector<DiskDeed> deeds_of(const std::function<void()>& work);

// Whether it has been flushed since it was last written to.
bool is_safe(const std::filesystem::path& file);

}  // namespace espalier
