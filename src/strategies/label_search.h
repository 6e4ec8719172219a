// SPDX-License-Identifier: Apache-2.0
// The exact pass: labels forward from the state of the run, pruned by dominance and by bounds on
// what is to come.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "strategies/cost_front.h"
#include "strategies/rounding.h"
#include "strategies/search_graph.h"

namespace espalier {

// Problem.   The least-energy path from a state to the goal that costs less than a given cut.
// Idea.      A label is a way to a node with its energy, time and loss. Labels are settled in order
// of energy, so at
//            a node a later label survives only if it has a lower loss or less time than every
//            settled one. A label that some bound says cannot end below the cut in time is never
//            created.
// Invariant. Settled labels of a node form a staircase: loss rises, time falls.
// Soundness. Rules are monotone: less loss, time and energy at the same node are never worse.
class LabelSearch {
 public:
  struct Bounds {
    const CostFront* time = nullptr;           // weights (0, 1)
    std::span<const CostFront* const> energy;  // weights (1, μ), any number of them
  };
  struct Limits {
    std::int64_t max_labels = 0;
    std::stop_token stop;
  };
  struct Outcome {
    std::vector<PlacementId> path;  // of the best plan below the cut; empty if there is none
    double energy = 0;              // of that plan
    bool complete = false;          // false: stopped early, there may be a better one
    std::int64_t labels = 0;
    std::int64_t bytes = 0;
  };

  // With a `rounding`, losses and times are rounded up after every epoch.
  LabelSearch(const SearchGraph& graph, const Bounds& bounds, const Rounding& rounding = {});

  // `cut`: only plans of less total energy count.
  Outcome run(const State& start, double cut, const Limits& limits);

 private:
  struct Label {
    double energy;
    double time;
    double loss;
    double bound;  // no plan through here costs less
    NodeIndex node;
    std::int32_t parent;
  };
  struct Corner {
    double loss;
    double time;
  };
  struct Entry {
    double energy;
    std::int32_t label;
    friend bool operator>(const Entry& a, const Entry& b) {
      return a.energy != b.energy ? a.energy > b.energy : a.label > b.label;
    }
  };
  using Stair = std::vector<Corner>;

  double bound_of(NodeIndex node, double arrival, double energy, double time) const;
  static bool is_dominated(const Stair& stair, double loss, double time);
  static void insert(Stair& stair, Corner corner);
  void create(const Label& origin, std::int32_t parent, NodeIndex node, const Arc& arc);
  std::vector<PlacementId> path_to(std::int32_t label) const;

  const SearchGraph& graph_;
  Bounds bounds_;
  Rounding rounding_;
  double deadline_;
  double target_;
  double ceiling_;
  double cut_ = 0;
  std::int32_t best_ = -1;
  std::vector<Label> labels_;
  std::vector<Stair> stairs_;
  std::vector<Entry> queue_;
};

}  // namespace espalier
