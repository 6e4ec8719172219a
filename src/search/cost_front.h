// SPDX-License-Identifier: Apache-2.0
// What the rest of a plan costs at least, from every node and every loss.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "search/cost_bound.h"

namespace espalier {

// Problem.    For a scalar cost c = energy_weight·energy + time_weight·time and every node of the
//             graph: the least cost of reaching the goal's loss from there, as a staircase over the
//             loss at the node.
// Idea.       Search backwards from the goal, cheapest first. A point (cost, loss) at a node says
//             "from this loss or below, the rest costs at most this"; one arc back it says so for
//             the largest loss that the arc still brings below. Each node merges the staircases of
//             its successors, one pending candidate per arc.
// Invariant.  Points are settled in order of cost over all nodes; at a node, cost and loss rise.
// Bounds.     Deadline ignored, loss rounded to the safe side: never above the true cost to go,
//             even when the search is cut off at any cost.
// Complexity. O(points · degree + points · log nodes).
// Owned by one thread. The graph must outlive it.
class CostFront final : public CostBound {
 public:
  CostFront(const SearchGraph& graph, double energy_weight, double time_weight);

  // Settles every point of cost up to `limit`, or until asked to stop or `max_points` are held.
  void extend_to(double limit, std::stop_token stop, std::int64_t max_points);
  // Settles until the bound from `state` is exact. Returns that bound: infinite if the goal cannot
  // be reached.
  double extend_to(const State& state, std::stop_token stop, std::int64_t max_points);

  // At least this much is still to be spent from `loss` at `node`.
  double bound(NodeIndex node, double loss) const {
    const Stair& stair = stairs_[static_cast<std::size_t>(node)];
    const std::size_t i = stair.find(loss < ceiling_ ? loss : ceiling_);
    return i < stair.size() ? stair.costs[i] : frontier_;
  }
  double on_arrival(NodeIndex node, double loss) const override {
    const Stair& stair = stairs_[static_cast<std::size_t>(node)];
    const std::size_t i = stair.find_arrival(loss < ceiling_ ? loss : ceiling_);
    return i < stair.size() ? stair.costs[i] : frontier_;
  }
  double from(const State& state) const override;
  std::vector<PlacementId> cheapest_path(const State& state) const override;

  // Whether anything beyond the goal itself has been settled.
  bool is_started() const { return frontier_ > 0; }
  std::int64_t points() const { return points_; }
  std::int64_t bytes() const;

 private:
  // The settled points of a node, cost and loss ascending.
  struct Stair {
    std::vector<double> costs;
    std::vector<double> losses;
    std::vector<double> arrivals;     // largest loss to arrive with, for each point
    std::vector<std::uint32_t> ways;  // the arc taken from here; kGoal at the goal

    std::size_t size() const { return costs.size(); }
    // The first point whose loss is at least `loss`.
    std::size_t find(double loss) const;
    std::size_t find_arrival(double loss) const;
  };
  // An arc of a node waiting for its next useful point at the arc's head.
  struct Candidate {
    double cost;  // infinite: the head has no useful point yet
    double loss;
    std::uint32_t point;
  };
  static constexpr std::uint32_t kGoal = 0xffffffff;

  Candidate* candidates_of(NodeIndex node);
  double loss_before(const Jump& jump, double arrival) const;
  void settle(NodeIndex node, double cost, double loss, std::uint32_t way);
  void offer_back(NodeIndex node);
  void settle_cheapest();
  void look_further(NodeIndex node);
  void skip(Candidate& candidate, NodeIndex node, std::size_t arc, double loss);
  void set_key(NodeIndex node, double key, std::uint32_t arc);
  void sift_up(std::size_t at);
  void sift_down(std::size_t at);

  const SearchGraph& graph_;
  double ceiling_;
  double frontier_ = 0;  // no unsettled point costs less
  std::int64_t points_ = 0;
  std::vector<Stair> stairs_;
  std::vector<double> last_losses_;    // per node: of its newest point
  std::vector<Candidate> candidates_;  // layer by layer, arc by arc
  std::vector<std::uint8_t> waiting_;  // the same by in-arc: all points of the head are used up
  std::vector<double> arc_costs_;
  std::vector<double> keys_;              // per node: its cheapest candidate
  std::vector<std::uint32_t> best_arcs_;  // and the arc that offers it
  std::vector<NodeIndex> heap_;           // nodes by key, a binary heap of all of them
  std::vector<std::uint32_t> heap_pos_;
};

}  // namespace espalier
