// SPDX-License-Identifier: Apache-2.0
// What the rest of a plan costs at least, on a grid of losses: for long plans and many placements.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "search/cost_bound.h"
#include "search/loss_grid.h"

namespace espalier {

// Where epochs and jumps land on a grid: the same for all prices. Immutable; refers to the graph.
class GridMap {
 public:
  // Nothing unless all rules are powers of at least 1, all changes are sums of a model part and a
  // node part, and plans may go everywhere.
  static std::optional<GridMap> of(const SearchGraph& graph, std::size_t cells);

  const SearchGraph& graph() const { return *graph_; }
  const LossGrid& grid() const { return grid_; }

 private:
  friend class GridSweep;
  GridMap(const SearchGraph& graph, std::size_t cells);

  const SearchGraph* graph_;
  LossGrid grid_;
  std::size_t placements_;
  std::size_t models_;
  std::size_t sets_;
  std::vector<LossGrid::Spot> epochs_;  // placement × knot: the loss after the epoch
  std::vector<LossGrid::Spot> jumps_;   // from × to × knot: the loss after the jump
};

// Problem.    As for CostFront, but a front has points for every combination of epochs, thousands
//             for each node where plans are long.
// Idea.       Values at knots, straight lines between them. Where a rule is concave and the values
//             are, a line through values that are low enough is low enough: rounding never adds up,
//             an epoch may count as a fraction. Values fall by sweeps over the knots, one for each
//             switch of the plan, until nothing changes.
// Soundness.  Checked, not assumed: in the end the inequality value ≤ cost of an arc + value at its
//             head is verified on every stretch, at all points where it could fail first, and the
//             values are scaled down by the worst violation (rounding, as a rule).
// Complexity. O(knots · placements · (models + node sets)) for each sweep.
class GridBound final : public CostBound {
 public:
  // Of the plans that end with one of the models in `last`; of all plans if it is empty.
  GridBound(std::shared_ptr<const GridMap> map, double energy_weight, double time_weight,
            const std::vector<ModelId>& last = {});

  double on_arrival(NodeIndex node, double loss) const override {
    const LossGrid::Spot spot = map_->grid().find(loss);
    return spot.of(values_.data() + static_cast<std::size_t>(node) * map_->grid().size());
  }
  double from(const State& state) const override;
  std::vector<PlacementId> cheapest_path(const State& state) const override;

  const std::shared_ptr<const GridMap>& map() const { return map_; }
  // Node × knot.
  const std::vector<double>& values() const { return values_; }
  // How much the values had to be scaled down to hold.
  double scale() const { return scale_; }
  std::size_t bytes() const { return values_.size() * sizeof(double); }

 private:
  std::shared_ptr<const GridMap> map_;
  double scale_ = 1;
  std::vector<double> values_;
};

}  // namespace espalier
