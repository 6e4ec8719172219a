// SPDX-License-Identifier: Apache-2.0
// Which losses matter after each epoch at each placement.
#pragma once

#include <vector>

#include "clairvoyance/foresight.h"

namespace espalier {

struct LossSpan {
  double least = 0;
  double most = -1;

  bool is_empty() const { return most < least; }
};

// By epoch, from 0, and placement. A plan that leaves its range is known to be too late, too dear
// or to miss the goal.
class LossRanges {
 public:
  // All losses that can occur, over all epochs that `foresight` has looked at.
  explicit LossRanges(const Foresight& foresight);

  int epochs() const { return static_cast<int>(ranges_.size() / placements_) - 1; }
  std::size_t placements() const { return placements_; }
  std::size_t index(int epoch, std::size_t placement) const {
    return static_cast<std::size_t>(epoch) * placements_ + placement;
  }
  const LossSpan& at(int epoch, std::size_t placement) const {
    return ranges_[index(epoch, placement)];
  }
  // The smaller of the two counts from now on.
  void narrow(int epoch, std::size_t placement, const LossSpan& range);
  // Forgets the epochs at the end that no placement has a range for.
  void trim();

 private:
  std::size_t placements_;
  std::vector<LossSpan> ranges_;
};

}  // namespace espalier
