// SPDX-License-Identifier: Apache-2.0
// What to do next, given what is there: pure decisions over the tree of experiments.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "experiments/experiment_tree.h"

namespace espalier {

// What is there of a branch.
struct BranchStock {
  int known = 0;           // the first so many steps have been observed
  std::set<int> networks;  // there is a network as it was after these steps
  bool is_enough = false;  // no more steps are asked for, although the branch has more
};

using Stock = std::vector<BranchStock>;  // by branch

// A piece of work for one worker: the steps after `from` up to `to` of a branch. It begins from the
// branch's own network after `from`, or, at 0, from what the branch grows from.
struct Segment {
  BranchId branch{};
  int from = 0;
  int to = 0;
  bool keeps_network = false;  // whether the network after `to` will be needed
  friend bool operator==(const Segment&, const Segment&) = default;
};

// Whether who is at work on it reads the network of a branch after `step`, or writes it. Somebody
// may write one that is there already, which a killed process left behind unaccounted for: it must
// not be given up in between.
bool has_in_hands(const ExperimentTree& tree, const Segment& segment, BranchId id, int step);

struct AgendaOptions {
  // Networks are stored at least every so many epochs: what is lost at worst when a worker dies.
  int longest_segment = 5;
  // Networks from which branches grow are kept for a later, larger grid.
  bool keeps_networks = false;
};

// What is to be done with some stock. Immutable. O(branches + children · log).
class Agenda {
 public:
  // The tree and the stock must outlive it.
  Agenda(const ExperimentTree& tree, const Stock& stock, const AgendaOptions& options = {});

  // Depth first, so that few networks are needed at a time. Nothing if all that can be done now is
  // done, or is in the hands of somebody. Never of a branch for which `is_busy`.
  std::optional<Segment> next(const std::function<bool(BranchId)>& is_busy) const;

  bool is_finished() const { return steps_left() == 0; }
  // Steps still to be done, those included that only restore a network.
  std::int64_t steps_left() const;
  int steps_left(BranchId id) const;
  // Whether the network after so many steps serves a purpose.
  bool needs_network(BranchId id, int step) const;

 private:
  // What is still to be done of a branch: the steps after `from` up to `to`.
  struct Work {
    int from = 0;
    int to = 0;
    bool is_any() const { return to > from; }
  };

  Work work_of(BranchId id) const;
  bool wants_network(BranchId id) const;
  bool is_ready(BranchId id) const;
  std::optional<Segment> next_of(BranchId id, const std::function<bool(BranchId)>& is_busy) const;
  Segment first_segment(BranchId id) const;
  bool has_child_at(BranchId id, int step, bool wanting) const;

  const ExperimentTree& tree_;
  const Stock& stock_;
  const AgendaOptions options_;
  std::vector<Work> work_;  // by branch
};

}  // namespace espalier
