// SPDX-License-Identifier: Apache-2.0
// Problem:    make all experiments of a grid without training anything twice.
// Idea:       an experiment is a way: train, prune, hand over, train, … Ways that begin alike share
//             what they have in common. Training for 5 epochs is the beginning of training for 15;
//             pruning comes before it is known who gets the network; an experiment with one switch
//             is the beginning of some with two.
// Invariant:  two branches never do the same: their ids differ, and the id says all that matters.
// Complexity: O(branches · log branches).
#include "experiments/experiment_tree.h"

#include <algorithm>
#include <map>
#include <set>

#include "experiments/run_id.h"

namespace espalier {
namespace {

template <class T>
const std::vector<T>& at_hand_over(const std::vector<std::vector<T>>& lists, std::size_t i) {
  return lists[std::min(i, lists.size() - 1)];
}

class Gardener {
 public:
  Gardener(const CollectSpec& grid, const std::vector<std::string>& node_sets)
      : grid_(grid), node_sets_(node_sets) {}

  ExperimentTree grow() {
    for (const std::uint64_t seed : grid_.seeds) {
      for (const ExperimentGrid& grid : grid_.grids()) {
        for (const auto& sequence : grid.sequences) grow_way(seed, grid, sequence);
      }
    }
    sort_children();
    return std::move(tree_);
  }

 private:
  using Sequence = std::vector<NodeSetId>;

  const std::string& name(NodeSetId nodes) const { return node_sets_[nodes.pos()]; }
  Branch& branch(BranchId id) { return tree_.branches[id.pos()]; }

  void grow_way(std::uint64_t seed, const ExperimentGrid& grid, const Sequence& sequence) {
    const BranchId root =
        find_or_add({.run = first_run_id(seed, name(sequence[0])), .nodes = sequence[0]});
    grow_on(root, grid, sequence, 0);
  }

  // The rest of a sequence, of which `position` trains on `at`.
  void grow_on(BranchId at, const ExperimentGrid& grid, const Sequence& sequence,
               std::size_t position) {
    if (position + 1 == sequence.size()) return end_experiment(at);
    for (const int epochs : at_hand_over(grid.switch_epochs, position)) {
      for (const double ratio : at_hand_over(grid.ratios, position)) {
        const BranchId pruned = add_pruning(at, epochs, ratio);
        grow_on(add_hand_over(pruned, sequence[position + 1]), grid, sequence, position + 1);
      }
    }
  }

  void end_experiment(BranchId at) {
    lengthen(at, grid_.last_epochs);
    branch(at).enough = Loss{grid_.last_loss};
    if (ends_.insert({at, grid_.last_epochs}).second)
      tree_.experiments.push_back({at, grid_.last_epochs});
  }

  void lengthen(BranchId at, int steps) { branch(at).steps = std::max(branch(at).steps, steps); }

  BranchId add_pruning(BranchId at, int epochs, double ratio) {
    lengthen(at, epochs);
    branch(at).steps_for_children = std::max(branch(at).steps_for_children, epochs);
    const Branch& from = branch(at);
    return find_or_add({.run = pruned_run_id(from.run, epochs, ratio),
                        .kind = Branch::Kind::Pruning,
                        .nodes = from.nodes,
                        .steps = 1,
                        .prune = 1 - (1 - from.prune) * (1 - ratio),
                        .epochs_before = from.epochs_before + epochs,
                        .parent = at,
                        .after = epochs});
  }

  BranchId add_hand_over(BranchId pruned, NodeSetId nodes) {
    const Branch& from = branch(pruned);
    return find_or_add({.run = handed_over_run_id(from.run, name(nodes)),
                        .nodes = nodes,
                        .prune = from.prune,
                        .epochs_before = from.epochs_before,
                        .parent = pruned,
                        .after = 1});
  }

  BranchId find_or_add(Branch made) {
    const BranchId id{static_cast<std::int32_t>(tree_.branches.size())};
    const auto [found, is_new] = ids_.emplace(made.run, id);
    if (!is_new) return found->second;
    if (made.parent) branch(*made.parent).children.push_back(id);
    tree_.branches.push_back(std::move(made));
    return id;
  }

  void sort_children() {
    for (Branch& b : tree_.branches) {
      std::stable_sort(b.children.begin(), b.children.end(),
                       [&](BranchId a, BranchId c) { return branch(a).after < branch(c).after; });
    }
  }

  const CollectSpec& grid_;
  const std::vector<std::string>& node_sets_;
  ExperimentTree tree_;
  std::map<std::string, BranchId> ids_;
  std::set<std::pair<BranchId, int>> ends_;
};

}  // namespace

std::int64_t ExperimentTree::epochs_separately() const {
  std::int64_t total = 0;
  for (const Experiment& e : experiments) total += branch(e.end).epochs_before + e.epochs;
  return total;
}

std::int64_t ExperimentTree::epochs_shared() const {
  std::int64_t total = 0;
  for (const Branch& b : branches) total += b.kind == Branch::Kind::Training ? b.steps : 0;
  return total;
}

double ExperimentTree::saved() const {
  const auto separately = static_cast<double>(epochs_separately());
  return separately > 0 ? 1 - static_cast<double>(epochs_shared()) / separately : 0;
}

ExperimentTree grow_tree(const CollectSpec& grid, const std::vector<std::string>& node_sets) {
  return Gardener(grid, node_sets).grow();
}

}  // namespace espalier
