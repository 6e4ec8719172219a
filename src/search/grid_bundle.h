// SPDX-License-Identifier: Apache-2.0
// Many bounds on one grid, looked up together.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "search/completion_bound.h"
#include "search/grid_bound.h"

namespace espalier {

// Problem.    One price of time bounds a mixture of plans. Where two kinds of plans are far apart,
//             say because they end with different models, no mixture is near the best real plan.
// Idea.       Each kind gets prices of its own. A plan is of one of the kinds, so the least of
//             their bounds holds: max over prices first, min over kinds after.
class GridBundle final : public CompletionBound {
 public:
  using Kind = std::vector<std::shared_ptr<const GridBound>>;  // bounds of weights (1, μ)

  // REQUIRES: all on the same map; every plan is of one of the kinds.
  GridBundle(const GridBound& time, std::span<const Kind> kinds);

  double least_total(NodeIndex node, double arrival, double energy, double time,
                     double cut) const override;
  // The same, faster, for several nodes on the shared grid at one loss.
  LossGrid::Spot find(double loss) const { return map_->shared().find(loss); }
  double least_total(NodeIndex node, const LossGrid::Spot& spot, double energy, double time,
                     double cut) const;
  const GridMap& map() const { return *map_; }
  std::size_t bytes() const { return values_.size() * sizeof(float); }

 private:
  static constexpr std::size_t kLanes = 8;  // prices of each kind

  // Two rows, and the share of the second.
  struct Between {
    const float* low;
    const float* high;
    float share;
  };
  Between shared_rows(NodeIndex node, const LossGrid::Spot& spot) const;
  double least_total(const Between& rows, double energy, double time, double cut) const;
  bool is_shared(NodeIndex node) const { return node < map_->passing({0}); }
  float* row_of(std::size_t row);

  std::shared_ptr<const GridMap> map_;
  double deadline_;
  std::size_t kinds_;
  std::size_t width_;          // values for each row: kinds · kLanes, then time
  std::vector<float> prices_;  // kind × lane
  // row × width, rounded down. First those of the shared grid, by knot and then by node: who leaves
  // looks at neighbours. Then those of arrivals, as in the map.
  std::vector<float> values_;
  double slack_ = 0;  // what sums of single precision may be wrong by
};

}  // namespace espalier
