// SPDX-License-Identifier: Apache-2.0
// The exact pass for long plans: labels only where a plan changes its placement.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "search/energy_queue.h"
#include "search/label_search.h"
#include "search/stage_walker.h"
#include "search/staircase.h"

namespace espalier {

// Problem.    As for LabelSearch, where plans have hundreds of epochs but few stages.
// Idea.       A label is an arrival at a placement from elsewhere. If staying there to the end
// makes
//             a better plan, that is noted at once. When settled, a label trains epoch by epoch, as
//             long as the bound on leaving later allows, and makes new labels wherever the bound on
//             leaving now does. What happens in between is not stored.
//             Labels whose energies differ by less than the least epoch cannot come from one
//             another: they are settled together, and train side by side on all cores.
// Invariant.  Settled labels of a placement form a staircase: loss rises, time falls; a later one
//             is no use unless it is below.
// Soundness.  As for LabelSearch. A stage that another one dominates half-way is followed all the
//             same: what comes of it is dominated at the next placement.
// The outcome does not depend on the number of cores. Owned by one thread, uses others while it
// works. The graph must outlive it.
class StageSearch {
 public:
  // REQUIRES: plans may go everywhere, and learning does not depend on the number of the epoch.
  // On so many cores; 0: on all.
  explicit StageSearch(const SearchGraph& graph, unsigned workers = 0);

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
  bool is_dominated(const StageLabel& label) const;
  void start(const State& state, const GridBundle& bound);
  void settle_together();
  void train(const GridBundle& bound);
  void take(const StageFindings& findings);
  std::vector<PlacementId> path() const;

  const SearchGraph& graph_;
  double least_epoch_;                // energy of an epoch anywhere
  std::vector<StageWalker> walkers_;  // one per core
  // Of the current run.
  Question question_;
  StageFindings best_;
  std::deque<StageLabel> labels_;  // never copied: they may be millions
  std::vector<Staircase> stairs_;
  EnergyQueue queue_;
  std::vector<std::int32_t> settled_;  // together, and not yet trained
  std::vector<StageFindings> found_;   // by parts of them
};

}  // namespace espalier
