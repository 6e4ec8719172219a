// SPDX-License-Identifier: Apache-2.0
// Labels forward through the epochs of one realisation, pruned by dominance and by bounds on what
// is to come.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "clairvoyance/cost_to_go.h"
#include "clairvoyance/foresight.h"
#include "clairvoyance/incumbent.h"

namespace espalier {

// Problem.    The least-energy plan of a realisation that reaches the goal in time.
// Idea.       A label is a way to a placement with its energy, time and loss, epoch by epoch. It is
//             dropped if another one of the same epoch and placement has no more of all three, or
//             if a bound says that it cannot end below the incumbent. If more labels are left
//             than `width`, those with the least bounds stay.
// Invariant.  No plan costs less than the incumbent or the least bound of a label that had to go.
// Owned by one thread; refers to what it is given.
class ForesightSearch {
 public:
  struct Limits {
    std::int64_t max_labels = 0;
    std::stop_token stop;
  };

  // REQUIRES: at least one bound with a weight on the energy.
  ForesightSearch(const Foresight& foresight, std::vector<const CostToGo*> bounds,
                  Incumbent& incumbent);

  // Returns what no plan can cost less than; infinite if there is none below the cut.
  double run(std::size_t width, const Limits& limits);
  std::int64_t labels() const { return labels_; }

 private:
  struct Label {
    double energy;
    double time;
    double loss;
    double bound;  // no plan through here costs less
    std::uint32_t placement;
    std::uint32_t trace;  // its own, or, before it is kept, that of its parent
  };
  struct Trace {
    std::uint32_t parent;
    std::uint32_t placement;
  };
  struct Corner {
    double loss;
    double time;
  };

  double bound_of(int epoch, const Label& label) const;
  void extend(const Label& label, int epoch);
  void reach_goal(const Label& label);
  void keep_undominated(std::vector<Label>& labels, int epoch);
  bool is_dominated(double loss, double time);
  void narrow(std::size_t width);
  bool is_too_dear(double bound) const { return bound >= incumbent_.energy() * (1 - 1e-9); }
  std::vector<PlacementId> path_to(std::uint32_t trace) const;

  const Foresight& foresight_;
  const std::vector<const CostToGo*> bounds_;
  Incumbent& incumbent_;
  const double deadline_;
  const double target_;
  int epochs_;
  double longest_way_ = 0;
  double left_out_ = 0;  // least bound of a label that had to go
  std::int64_t labels_ = 0;
  std::vector<Label> open_;
  std::vector<std::vector<Label>> next_;  // by placement
  std::vector<Corner> stair_;
  std::vector<Trace> traces_;
};

}  // namespace espalier
