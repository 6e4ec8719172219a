// SPDX-License-Identifier: Apache-2.0
// What the rest of a plan costs at least, where every change of the loss is a sum.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "search/cost_bound.h"

namespace espalier {

// A graph on which losses add up: rules with steps, jumps that only add. Refers to the graph.
class AdditiveGraph {
 public:
  // Nothing if some rule or jump is not additive.
  static std::optional<AdditiveGraph> of(const SearchGraph& graph);

  const SearchGraph& graph() const { return *graph_; }
  // What arriving at `node` adds to the loss, unless that would fall below 0.
  double step(NodeIndex node) const { return steps_[static_cast<std::size_t>(node)]; }

 private:
  explicit AdditiveGraph(const SearchGraph& graph);

  const SearchGraph* graph_;
  std::vector<double> steps_;
};

// What a joule, a second and a unit of loss are worth.
struct Prices {
  double energy = 1;
  double time = 0;
  double loss = 0;
};

// Problem.    As for CostFront: the least energy and time to the goal's loss, weighted.
// Idea.       With a price on the loss instead of a target it is an ordinary shortest path. Its
//             length, corrected by the price of the target, never exceeds the true cost to go.
// Invariant.  rest(node, loss) = a number of the node + price · loss.
// Complexity. O(arcs). A front may need thousands of points for each node.
class LinearBound final : public CostBound {
 public:
  LinearBound(const AdditiveGraph& graph, const Prices& prices);

  // False if the prices make going in circles worth while; then it bounds nothing.
  bool is_valid() const { return is_valid_; }
  const Prices& prices() const { return prices_; }

  double on_arrival(NodeIndex node, double loss) const override {
    return on_arrival_[static_cast<std::size_t>(node)] + prices_.loss * loss;
  }
  double from(const State& state) const override;
  // The loss at its end may be above the target: missing it has its price.
  std::vector<PlacementId> cheapest_path(const State& state) const override;
  // Where that path ends. Losses below 0 exist for it.
  State end_of_cheapest_path(const State& state) const;

 private:
  bool relax(NodeIndex node);
  bool relax_layer(int layer);
  // Calls visit(arc, node it leads to) along the cheapest path.
  template <class Visit>
  void walk(const State& state, const Visit& visit) const;

  const AdditiveGraph* graph_;
  Prices prices_;
  bool is_valid_ = true;
  std::vector<double> to_go_;       // per node, at loss 0
  std::vector<double> on_arrival_;  // the same before its step
  std::vector<std::int32_t> ways_;  // per node: the arc to take, or kEnd
};

}  // namespace espalier
