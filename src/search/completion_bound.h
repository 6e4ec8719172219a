// SPDX-License-Identifier: Apache-2.0
// What any plan through a label costs at least.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "search/cost_bound.h"

namespace espalier {

class CompletionBound {
 public:
  virtual ~CompletionBound() = default;

  // The least total energy of a plan that arrives at `node` with the jump made and the epoch's
  // energy and time spent; infinite if none is in time. May stop looking once it is `cut` or more.
  virtual double least_total(NodeIndex node, double arrival, double energy, double time,
                             double cut) const = 0;
};

// The best of several bounds of any weights. Refers to them.
class BestOfBounds final : public CompletionBound {
 public:
  // The most telling first.
  BestOfBounds(double deadline, std::vector<const CostBound*> bounds)
      : deadline_(deadline), bounds_(std::move(bounds)) {}

  double least_total(NodeIndex node, double arrival, double energy, double time,
                     double cut) const override {
    constexpr double kHopeless = std::numeric_limits<double>::infinity();
    const double time_left = deadline_ - time;
    if (time_left < 0) return kHopeless;
    double least = energy;
    for (const CostBound* bound : bounds_) {
      const double rest = bound->on_arrival(node, arrival) - bound->time_weight() * time_left;
      if (bound->energy_weight() == 0) {
        if (rest > 0) return kHopeless;
      } else {
        least = std::max(least, energy + rest / bound->energy_weight());
        if (least >= cut) return least;
      }
    }
    return least;
  }

 private:
  double deadline_;
  std::vector<const CostBound*> bounds_;
};

}  // namespace espalier
