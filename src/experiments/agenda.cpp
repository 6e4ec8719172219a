// SPDX-License-Identifier: Apache-2.0
// Problem:    which steps have to be done, and which networks have to be there for them?
// Idea:       from the leaves to the root. A branch has work if steps of it were never observed, or
//             if a child with work begins from a network that is not there. It then goes on from
//             its last network before the first of these; without one it wants that of its parent.
// Invariant:  a network that is needed is never given up, and what is needed can always be made.
// Complexity: O(branches + children · log) for all of it; nothing is remembered between calls.
#include "experiments/agenda.h"

#include <algorithm>
#include <limits>

namespace espalier {
namespace {

constexpr int kNever = std::numeric_limits<int>::max();

BranchId id_at(std::size_t position) { return {static_cast<std::int32_t>(position)}; }

// The last network before `step`; 0 if there is none.
int last_before(const std::set<int>& networks, int step) {
  const auto next = networks.lower_bound(step);
  return next == networks.begin() ? 0 : *std::prev(next);
}

}  // namespace

bool has_in_hands(const ExperimentTree& tree, const Segment& segment, BranchId id, int step) {
  const bool writes_it = segment.branch == id && segment.keeps_network && segment.to == step;
  if (segment.from > 0) return writes_it || (segment.branch == id && segment.from == step);
  const Branch& branch = tree.branch(segment.branch);
  return writes_it || (branch.parent == id && branch.after == step);
}

Agenda::Agenda(const ExperimentTree& tree, const Stock& stock, const AgendaOptions& options)
    : tree_(tree), stock_(stock), options_(options), work_(tree.branches.size()) {
  for (std::size_t i = work_.size(); i-- > 0;) work_[i] = work_of(id_at(i));
}

// REQUIRES: that of the children is known.
Agenda::Work Agenda::work_of(BranchId id) const {
  const Branch& branch = tree_.branch(id);
  const BranchStock& stock = stock_[id.pos()];
  const bool goes_on = stock.known < branch.steps && !stock.is_enough;
  int first = goes_on ? stock.known + 1 : kNever;
  int last = goes_on ? branch.steps : 0;
  for (const BranchId child : branch.children) {
    const int step = tree_.branch(child).after;
    if (!wants_network(child) || stock.networks.contains(step)) continue;
    first = std::min(first, step);
    last = std::max(last, step);
  }
  return first == kNever ? Work{} : Work{last_before(stock.networks, first), last};
}

bool Agenda::wants_network(BranchId id) const {
  const Work& work = work_[id.pos()];
  return work.is_any() && work.from == 0;
}

bool Agenda::has_child_at(BranchId id, int step, bool wanting) const {
  const auto& children = tree_.branch(id).children;
  return std::any_of(children.begin(), children.end(), [&](BranchId child) {
    return tree_.branch(child).after == step && (!wanting || wants_network(child));
  });
}

bool Agenda::needs_network(BranchId id, int step) const {
  const Work& work = work_[id.pos()];
  const bool goes_on_from_it = work.is_any() && work.from == step;
  if (goes_on_from_it || has_child_at(id, step, true)) return true;
  return options_.keeps_networks && has_child_at(id, step, false);
}

bool Agenda::is_ready(BranchId id) const {
  const Work& work = work_[id.pos()];
  const Branch& branch = tree_.branch(id);
  if (!work.is_any()) return false;
  return work.from > 0 || !branch.parent ||
         stock_[branch.parent->pos()].networks.contains(branch.after);
}

// Up to where the next child begins, but not too far.
Segment Agenda::first_segment(BranchId id) const {
  const Work& work = work_[id.pos()];
  int to = std::min(work.to, work.from + options_.longest_segment);
  for (const BranchId child : tree_.branch(id).children) {
    const int step = tree_.branch(child).after;
    if (step > work.from) to = std::min(to, step);
  }
  return {id, work.from, to, to < work.to || needs_network(id, to)};
}

std::optional<Segment> Agenda::next_of(BranchId id,
                                       const std::function<bool(BranchId)>& is_busy) const {
  for (const BranchId child : tree_.branch(id).children) {
    if (const auto segment = next_of(child, is_busy)) return segment;
  }
  if (!is_ready(id) || is_busy(id)) return std::nullopt;
  return first_segment(id);
}

std::optional<Segment> Agenda::next(const std::function<bool(BranchId)>& is_busy) const {
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (tree_.branches[i].parent) continue;
    if (const auto segment = next_of(id_at(i), is_busy)) return segment;
  }
  return std::nullopt;
}

int Agenda::steps_left(BranchId id) const { return work_[id.pos()].to - work_[id.pos()].from; }

std::int64_t Agenda::steps_left() const {
  std::int64_t total = 0;
  for (const Work& work : work_) total += work.to - work.from;
  return total;
}

}  // namespace espalier
