// SPDX-License-Identifier: Apache-2.0
// What becomes of a network that has arrived at a placement: it trains, and leaves where that may
// pay.
#pragma once

#include <cstdint>
#include <vector>

#include "search/grid_bundle.h"

namespace espalier {

// An arrival at a placement from elsewhere.
struct StageLabel {
  double energy;  // after the first epoch
  double time;
  double loss;  // before it
  NodeIndex node;
  std::int32_t parent;
  std::int32_t epochs;  // at the parent, until it was left
};

// What walks came upon.
struct StageFindings {
  double cut = 0;  // only plans of less energy count; that of the best one found, if there is one
  bool met_cut = false;              // a plan was left out because of the cut
  std::vector<StageLabel> arrivals;  // from which a plan below the cut may go on
  StageLabel last{};                 // the last stage of the best plan
  std::size_t last_epochs = 0;       // of it; 0 if no plan was found
};

// Owned by one thread. The graph must outlive it.
class StageWalker {
 public:
  explicit StageWalker(const SearchGraph& graph);

  // Trains where label number `index` has arrived, and leaves whenever that may pay.
  void train(StageLabel label, std::int32_t index, const GridBundle& bound,
             StageFindings& findings);
  // From elsewhere along `arc`, the end of a change.
  void arrive(const StageLabel& label, const Arc& arc, const GridBundle& bound,
              StageFindings& findings);

 private:
  struct Walk {
    const GridBundle& bound;
    StageFindings& findings;

    // `where`: the label's loss, or its spot on the shared grid.
    template <class Where>
    bool may_pay(NodeIndex node, const Where& where, const StageLabel& label) const;
  };
  void leave(const StageLabel& label, const LossGrid::Spot& spot, const Walk& walk);
  // From a label half-way.
  struct HalfWay {
    const StageLabel& label;
    NodeIndex node;
    const LossGrid::Spot& spot;
  };
  void go_on(const HalfWay& from, const Walk& walk);
  void stay_to_the_end(StageLabel label, StageFindings& findings);
  std::size_t epochs_to_goal(const StageLabel& label, double enough);
  ModelId model_at(NodeIndex node) const;

  const SearchGraph& graph_;
  double target_;
  // As far as needed: the largest losses from which 0, 1, 2 … epochs reach the goal.
  struct BeforeGoal {
    std::vector<double> losses;
    bool is_all = false;  // from higher ones no number of epochs does
  };
  std::vector<BeforeGoal> before_goal_;  // by placement
};

}  // namespace espalier
