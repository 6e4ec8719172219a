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

// Where epochs and jumps land on grids: the same for all prices. Immutable; refers to the graph.
class GridMap {
 public:
  // Nothing unless all rules are powers of at least 1, all changes are sums of a model part and a
  // node part, and plans may go everywhere.
  static std::optional<GridMap> of(const SearchGraph& graph, std::size_t cells);

  const SearchGraph& graph() const { return *graph_; }

  // Besides the graph's nodes: having trained at a placement and not staying; half-way, if another
  // model follows; arriving at a placement that is not the last.
  NodeIndex leaving(PlacementId placement) const {
    return static_cast<NodeIndex>(placements_ + models_ * sets_ + sites_[placement.pos()]);
  }
  NodeIndex switching(NodeIndex half_way) const {
    return half_way + static_cast<NodeIndex>(2 * models_ * sets_);
  }
  NodeIndex passing(PlacementId placement) const {
    return static_cast<NodeIndex>(placements_ + shared_nodes() + placement.pos());
  }

  // Those but the last are on the grid that all share, as half-way nodes are. One after another:
  // half-way, leaving, switching, each by model and node set.
  const LossGrid& shared() const { return shared_; }
  NodeIndex first_shared() const { return static_cast<NodeIndex>(placements_); }
  std::size_t shared_nodes() const { return 3 * models_ * sets_; }

  // Values are kept in rows: for each node, one for each knot of its grid. Those of placements come
  // first.
  std::size_t rows() const { return first_rows_.back(); }
  std::size_t placement_rows() const { return first_rows_[placements_]; }
  // The row of the lower knot, and the share of the next one.
  struct Place {
    std::size_t row;
    double share;
  };
  Place find(NodeIndex node, double loss) const {
    const auto n = static_cast<std::size_t>(node);
    const LossGrid::Spot spot = grid(n).find(loss);
    return {first_rows_[n] + spot.cell, spot.share};
  }

 private:
  friend class GridSweep;
  GridMap(const SearchGraph& graph, std::size_t cells);
  struct Sibling {
    std::size_t placement;
    std::vector<LossGrid::Spot> spots;  // of our knots, after an epoch there, on its own grid
  };
  void add_own_grid(const LearningRule& rule);
  std::vector<Sibling> siblings_of(std::size_t placement) const;
  const LossGrid& grid(std::size_t node) const {
    if (node < placements_) return own_[node];
    const std::size_t passing = placements_ + shared_nodes();
    return node < passing ? shared_ : own_[node - passing];
  }

  const SearchGraph* graph_;
  LossGrid shared_;                      // where models and node sets are changed
  std::vector<LossGrid> own_;            // of each placement: a knot for each epoch
  std::vector<std::size_t> first_rows_;  // of each node; the last one is the number of rows
  std::size_t placements_;
  std::size_t models_;
  std::size_t sets_;
  std::vector<std::size_t> sites_;  // model and node set of each placement, as one number
  std::vector<std::vector<Sibling>> siblings_;  // of each placement: same model, same node set
  std::vector<LossGrid::Spot> stays_;   // row of a placement: the loss after the epoch, there
  std::vector<LossGrid::Spot> leaves_;  // row of a placement: the same loss, on the shared grid
  std::vector<LossGrid::Spot> epochs_;  // placement × shared knot: after the epoch, there
  std::vector<LossGrid::Spot> jumps_;   // from × to × shared knot: the loss after the jump
};

// Problem.    As for CostFront, but a front has points for every combination of epochs, thousands
//             for each node where plans are long.
// Idea.       Values at knots, straight lines between them. Where a rule is concave and the values
//             are, a line through values that are low enough is low enough. The knots of a
//             placement are one epoch apart: staying there leads from knot to knot and rounds
//             nothing, so that only changes do, and a plan has few. They happen on a grid shared by
//             all. Values fall by sweeps over the knots, one for each switch of the plan, until
//             nothing changes.
// Soundness.  Checked, not assumed: in the end the inequality value ≤ cost of an arc + value at its
//             head is verified on every stretch, at all points where it could fail first, and the
//             values are scaled down by the worst violation (rounding, as a rule).
// Complexity. O(knots · placements · (models + node sets)) for each sweep, and as many steps as
//             placements have knots of their own.
class GridBound final : public CostBound {
 public:
  // Of the plans that end with one of the models in `last`; of all plans if it is empty.
  GridBound(std::shared_ptr<const GridMap> map, double energy_weight, double time_weight,
            const std::vector<ModelId>& last = {});

  double on_arrival(NodeIndex node, double loss) const override {
    const GridMap::Place place = map_->find(node, loss);
    const double low = values_[place.row];
    return low + place.share * (values_[place.row + 1] - low);
  }
  double from(const State& state) const override;
  std::vector<PlacementId> cheapest_path(const State& state) const override;

  const std::shared_ptr<const GridMap>& map() const { return map_; }
  // One for each row of the map.
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
