// SPDX-License-Identifier: Apache-2.0
// All experiments of a grid as one tree: what several of them begin with is there once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/units.h"
#include "core/workload.h"

namespace espalier {

using BranchId = Id<struct BranchThing>;

// A run of the tree. Either epochs of one network on one node set, or one pruning. Others may begin
// from it after any of its steps.
struct Branch {
  enum class Kind { Training, Pruning };
  std::string run{};  // its id: run_id.h
  Kind kind = Kind::Training;
  NodeSetId nodes{};  // who trains, or prunes
  int steps = 0;      // epochs, at most; 1 for a pruning
  Loss enough{};      // once the loss is as low as this, there need not be so many
  double prune = 0;   // share of the full network's channels gone, after a pruning
  int epochs_before = 0;
  std::optional<BranchId> parent{};
  int after = 0;                     // so many steps of the parent
  std::vector<BranchId> children{};  // in the order of `after`
  int steps_for_children = 0;        // there have to be so many, however low the loss is

  // Whether it need not go on after so many steps, with such a loss.
  bool may_end(int step, Loss loss) const {
    return enough > Loss{} && loss <= enough && step >= steps_for_children;
  }
};

// One way through the tree: everything that leads to `end`, and so many epochs of it.
struct Experiment {
  BranchId end{};
  int epochs = 0;
};

struct ExperimentTree {
  std::vector<Branch> branches;  // parents before their children
  std::vector<Experiment> experiments;

  const Branch& branch(BranchId id) const { return branches[id.pos()]; }
  // Epochs of all experiments if each were made from its beginning, and none ended early.
  std::int64_t epochs_separately() const;
  // Epochs that are really trained, if no branch ends early.
  std::int64_t epochs_shared() const;
  // The share of epochs that need not be trained.
  double saved() const;
};

// Equal experiments are there once. `node_sets` are the names of the scenario's.
ExperimentTree grow_tree(const CollectSpec& grid, const std::vector<std::string>& node_sets);

}  // namespace espalier
