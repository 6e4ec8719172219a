// SPDX-License-Identifier: Apache-2.0
#include "replay/replay.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "core/error.h"

namespace espalier {
namespace {

// Whether a traced stage is followed, at whatever epochs, by stages at these places.
template <class Departure>
bool leads_on(const TraceTree& tree, const TracedStage& from, std::span<const Departure> rest) {
  if (from.losses.empty()) return false;
  if (rest.empty()) return true;
  return std::any_of(from.turns.begin(), from.turns.end(), [&](const TracedTurn& turn) {
    return turn.to == rest[0].to && leads_on(tree, tree.stage(turn.stage), rest.subspan(1));
  });
}

// The traced turns nearest to an epoch, from below and from above.
struct Neighbours {
  const TracedTurn* below = nullptr;
  const TracedTurn* above = nullptr;

  void add(const TracedTurn& turn, int epoch) {
    if (turn.after <= epoch && (below == nullptr || turn.after > below->after)) below = &turn;
    if (turn.after >= epoch && (above == nullptr || turn.after < above->after)) above = &turn;
  }
};

}  // namespace

Replay::Replay(const TraceTree& tree, TracedStageId root)
    : tree_(&tree), root_(root), strands_{{root}} {
  ESPALIER_CHECK(!tree.stage(root).losses.empty());
}

TracedPlaceId Replay::place() const { return tree_->stage(strands_.front().stage).place; }

double Replay::loss() const {
  double loss = 0;
  for (const Strand& strand : strands_)
    loss += strand.weight * (tree_->stage(strand.stage).loss_after(epochs_) + strand.offset);
  return std::max(0.0, loss);
}

bool Replay::is_beyond() const {
  return std::any_of(strands_.begin(), strands_.end(), [&](const Strand& strand) {
    return epochs_ > tree_->stage(strand.stage).epochs();
  });
}

bool Replay::is_at_end() const {
  return std::all_of(strands_.begin(), strands_.end(), [&](const Strand& strand) {
    return epochs_ >= tree_->stage(strand.stage).epochs();
  });
}

bool Replay::can_change(TracedPlaceId to) const {
  std::vector<Departure> departures = departures_;
  departures.push_back({epochs_, to});
  return leads_on<Departure>(*tree_, tree_->stage(root_), departures);
}

void Replay::change(TracedPlaceId to) {
  departures_.push_back({epochs_, to});
  strands_.clear();
  weave({root_}, 0);
  ESPALIER_CHECK(!strands_.empty());
  epochs_ = 0;
}

// Adds the strands that `from` leads to by the departures from `next` on.
void Replay::weave(const Strand& from, std::size_t next) {
  if (next == departures_.size()) {
    strands_.push_back(from);
    return;
  }
  const auto [epoch, to] = departures_[next];
  const TracedStage& stage = tree_->stage(from.stage);
  const std::span<const Departure> rest = std::span(departures_).subspan(next + 1);
  Neighbours near;
  for (const TracedTurn& turn : stage.turns) {
    if (turn.to == to && leads_on(*tree_, tree_->stage(turn.stage), rest)) near.add(turn, epoch);
  }
  const auto follow = [&](const TracedTurn& turn, double share, double offset) {
    weave({turn.stage, from.weight * share, from.offset + offset}, next + 1);
  };
  if (near.below != nullptr && near.above != nullptr) {
    if (near.below == near.above) return follow(*near.below, 1, 0);
    const double share = static_cast<double>(epoch - near.below->after) /
                         static_cast<double>(near.above->after - near.below->after);
    follow(*near.below, 1 - share, 0);
    follow(*near.above, share, 0);
  } else if (near.below != nullptr || near.above != nullptr) {
    const TracedTurn& turn = near.below != nullptr ? *near.below : *near.above;
    follow(turn, 1, stage.loss_after(epoch) - stage.loss_after(turn.after));
  }
}

}  // namespace espalier
