// SPDX-License-Identifier: Apache-2.0
// The best losses and times of labels at one node.
#pragma once

#include <algorithm>
#include <vector>

namespace espalier {

// Invariant: loss rises, time falls.
class Staircase {
 public:
  struct Corner {
    double loss;
    double time;
  };

  // Whether something in it is as low and as early.
  bool dominates(double loss, double time) const {
    const auto above =
        std::upper_bound(corners_.begin(), corners_.end(), loss,
                         [](double l, const Corner& corner) { return l < corner.loss; });
    return above != corners_.begin() && std::prev(above)->time <= time;
  }

  // REQUIRES: !dominates(loss, time).
  void insert(double loss, double time) {
    const auto at = std::lower_bound(corners_.begin(), corners_.end(), loss,
                                     [](const Corner& c, double l) { return c.loss < l; });
    auto end = at;
    while (end != corners_.end() && end->time >= time) ++end;
    if (end == at) {
      corners_.insert(at, {loss, time});
    } else {
      *at = {loss, time};
      corners_.erase(at + 1, end);
    }
  }

 private:
  std::vector<Corner> corners_;
};

}  // namespace espalier
