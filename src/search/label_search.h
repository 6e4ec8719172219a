// SPDX-License-Identifier: Apache-2.0
// The exact pass: labels forward from the state of the run, pruned by dominance and by bounds on
// what is to come.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "search/completion_bound.h"
#include "search/energy_queue.h"
#include "search/rounding.h"
#include "search/search_graph.h"
#include "search/staircase.h"

namespace espalier {

// Problem.    The least-energy path from a state to the goal that costs less than a given cut.
// Idea.       A label is a way to a node with its energy, time and loss. Labels are settled in
//             order of energy, so at a node a later label survives only if it has a lower loss or
//             less time than every settled one. A label that the bound says cannot end below the
//             cut in time is never created.
// Invariant.  Settled labels of a node form a staircase: loss rises, time falls.
// Soundness.  Rules are monotone: less loss, time and energy at the same node are never worse.
class LabelSearch {
 public:
  struct Limits {
    std::int64_t max_labels = 0;
    std::stop_token stop;
  };
  struct Outcome {
    std::vector<PlacementId> path;  // of the best plan below the cut; empty if there is none
    double energy = 0;              // of that plan
    bool complete = false;          // false: stopped early, there may be a better one
    bool met_cut = false;           // false: no plan was left out because of the cut
    std::int64_t labels = 0;
    std::int64_t bytes = 0;
  };

  // With a `rounding`, losses and times are rounded up after every epoch.
  LabelSearch(const SearchGraph& graph, const CompletionBound& bound,
              const Rounding& rounding = {});

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
  std::optional<std::int32_t> create(const Label& origin, std::int32_t parent, NodeIndex node,
                                     const Arc& arc);
  void enqueue(std::int32_t index, const Arc& arc);
  void settle(std::int32_t index);
  std::vector<PlacementId> path_to(std::int32_t label) const;

  const SearchGraph& graph_;
  const CompletionBound& bound_;
  Rounding rounding_;
  double target_;
  double ceiling_;
  double cut_ = 0;
  bool met_cut_ = false;
  std::int32_t best_ = -1;
  std::vector<Label> labels_;
  std::vector<Staircase> stairs_;
  EnergyQueue queue_;
};

}  // namespace espalier
