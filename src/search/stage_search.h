// SPDX-License-Identifier: Apache-2.0
// The exact pass for long plans: labels only where a plan changes its placement.
#pragma once

#include <cstdint>
#include <vector>

#include "search/energy_queue.h"
#include "search/grid_bundle.h"
#include "search/label_search.h"
#include "search/staircase.h"

namespace espalier {

// Problem.    As for LabelSearch, where plans have hundreds of epochs but few stages.
// Idea.       A label is an arrival at a placement from elsewhere. If staying there to the end
// makes
//             a better plan, that is noted at once. When settled, a label trains epoch by epoch, as
//             long as the bound on leaving later allows, and makes new labels wherever the bound on
//             leaving now does. What happens in between is not stored.
// Invariant.  Settled labels of a placement form a staircase: loss rises, time falls; a later one
//             is no use unless it is below.
// Soundness.  As for LabelSearch. A stage that another one dominates half-way is followed all the
//             same: what comes of it is dominated at the next placement.
// Owned by one thread. The graph must outlive it.
class StageSearch {
 public:
  // REQUIRES: plans may go everywhere, and learning does not depend on the number of the epoch.
  explicit StageSearch(const SearchGraph& graph);

  struct Question {
    State start;
    double cut = 0;  // only plans of less total energy count
    // What a later label must be better by to count. If not 0 there are fewer labels and plans are
    // good, but not the best.
    double loss_tolerance = 0;
    double time_tolerance = 0;
  };
  LabelSearch::Outcome run(const Question& question, const GridBundle& bound,
                           const LabelSearch::Limits& limits);

 private:
  struct Label {
    double energy;  // after the first epoch
    double time;
    double loss;  // before it
    NodeIndex node;
    std::int32_t parent;
    std::int32_t epochs;  // at the parent, until it was left
  };

  void train(std::int32_t index);
  void leave(const Label& label);
  void go_on(const Label& label, NodeIndex half_way);
  ModelId model_at(NodeIndex node) const;
  void arrive(const Label& label, const Arc& arc);
  void stay_to_the_end(Label label);
  std::size_t epochs_to_goal(const Label& label, double enough);
  double least_total(NodeIndex node, const Label& label);
  bool is_dominated(const Label& label) const;
  std::vector<PlacementId> path() const;

  const SearchGraph& graph_;
  double target_;
  // By placement, as far as needed: the largest losses from which 0, 1, 2 … epochs reach the goal;
  // none if they never do.
  std::vector<std::vector<double>> before_goal_;
  // Of the current run.
  Question question_;
  const GridBundle* bound_ = nullptr;
  double cut_ = 0;
  bool met_cut_ = false;
  Label last_{};  // of the best plan
  std::size_t last_epochs_ = 0;
  std::vector<Label> labels_;
  std::vector<Staircase> stairs_;
  EnergyQueue queue_;
};

}  // namespace espalier
