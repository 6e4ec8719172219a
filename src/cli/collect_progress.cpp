// SPDX-License-Identifier: Apache-2.0
#include "cli/collect_progress.h"

#include <cmath>

#include <fmt/format.h>

#include "render/figures.h"

namespace espalier {

CollectProgress::CollectProgress(const ExperimentTree& tree, const Agenda& agenda, StepTimes times)
    : tree_(tree),
      times_(std::move(times)),
      left_(tree.branches.size(), 0),
      done_(tree.branches.size(), 0) {
  for (std::size_t i = 0; i < left_.size(); ++i) {
    if (tree.branches[i].kind != Branch::Kind::Training) continue;
    left_[i] = agenda.steps_left({static_cast<std::int32_t>(i)});
    total_ += left_[i];
  }
}

void CollectProgress::add(BranchId branch, const TraceRow& row) {
  // A row that arrives again, because a trainer died, counts once.
  if (row.event != TraceEvent::Epoch || left_[branch.pos()] == 0) return;
  times_.add(tree_.branch(branch).nodes, tree_.branch(branch).prune, row.time);
  --left_[branch.pos()];
  ++done_[branch.pos()];
  ++count_;
  if (tree_.branch(branch).may_end(row.epoch - tree_.branch(branch).epochs_before, row.loss))
    forget_rest_of(branch);
  if (count_ < total_ && line_.is_due()) tell();
}

void CollectProgress::forget_rest_of(BranchId branch) {
  total_ -= left_[branch.pos()];
  left_[branch.pos()] = 0;
}

// The times of the traces may be those of other machines; what they say about the work that is done
// and the work that is left is in proportion to the time that goes by here.
void CollectProgress::tell() {
  const auto done = time_left(tree_, done_, times_);
  const auto left = time_left(tree_, left_, times_);
  std::string text = fmt::format("collecting: epoch {} of {}", count_, total_);
  if (done && left && done->value > 0) {
    const double seconds = line_.elapsed().value * (*left / *done);
    text += fmt::format(", about {} left", duration(Seconds{std::round(seconds)}));
  }
  line_.tell(text);
}

}  // namespace espalier
