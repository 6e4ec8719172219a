// SPDX-License-Identifier: Apache-2.0
// What the rest of a plan costs at least: the interface of all bounds.
#pragma once

#include <vector>

#include "search/search_graph.h"

namespace espalier {

// The cost is energy_weight · energy + time_weight · time.
class CostBound {
 public:
  CostBound(double energy_weight, double time_weight)
      : energy_weight_(energy_weight), time_weight_(time_weight) {}
  virtual ~CostBound() = default;

  double energy_weight() const { return energy_weight_; }
  double time_weight() const { return time_weight_; }

  // At least this much is still to be spent after the epoch at `node`, which begins with `loss`
  // (the jump already made).
  virtual double on_arrival(NodeIndex node, double loss) const = 0;
  // At least this much is to be spent from `state` on; infinite if the goal is out of reach.
  virtual double from(const State& state) const = 0;
  // The way on that the bound thinks cheapest; empty if it knows none.
  virtual std::vector<PlacementId> cheapest_path(const State& state) const = 0;

 protected:
  CostBound(const CostBound&) = default;
  CostBound(CostBound&&) = default;
  CostBound& operator=(const CostBound&) = default;
  CostBound& operator=(CostBound&&) = default;

 private:
  double energy_weight_;
  double time_weight_;
};

}  // namespace espalier
