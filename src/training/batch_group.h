// SPDX-License-Identifier: Apache-2.0
// The role of groups: processes that each compute a part of every batch, as one learner.
#pragma once

#include <span>

namespace espalier {

// All of them take the same steps in the same order. Owned by one thread.
class BatchGroup {
 public:
  virtual ~BatchGroup() = default;
  virtual int rank() const = 0;  // 0, 1, …
  virtual int size() const = 0;
  // Replaces each value by the sum of all members' values: the same bits for all of them. Throws
  // Error{RunFailed} where one of them is gone; then the group is of no use any more.
  virtual void add_up(std::span<float> values) = 0;
};

}  // namespace espalier
