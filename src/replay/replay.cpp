// SPDX-License-Identifier: Apache-2.0
#include "replay/replay.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/error.h"

namespace espalier {
namespace {

// Losses before a change that are nearer to each other tell nothing about what a difference does.
constexpr double kNoDifference = 1e-9;

// Whether a traced stage is followed, at whatever epochs, by stages at these places.
template <class Departure>
bool leads_on(const TraceTree& tree, const TracedStage& from, std::span<const Departure> rest) {
  if (from.losses.empty()) return false;
  if (rest.empty()) return true;
  return std::any_of(from.turns.begin(), from.turns.end(), [&](const TracedTurn& turn) {
    return turn.to == rest[0].to && leads_on(tree, tree.stage(turn.stage), rest.subspan(1));
  });
}

// The two traced turns that tell most about a departure.
struct Neighbours {
  const TracedTurn* near = nullptr;
  const TracedTurn* far = nullptr;  // the same as `near` if one tells all, or is all there is
  bool encloses = false;            // the departure is not before both, nor after both
};

// `turns` by epochs; not empty.
Neighbours neighbours_of(const std::vector<const TracedTurn*>& turns, int epoch) {
  const auto above =
      std::find_if(turns.begin(), turns.end(), [&](const auto* t) { return t->after >= epoch; });
  if (above == turns.end())
    return {turns.back(), turns.size() > 1 ? turns[turns.size() - 2] : turns.back(), false};
  if ((*above)->after == epoch) return {*above, *above, true};
  if (above == turns.begin())
    return {turns.front(), turns.size() > 1 ? turns[1] : turns.front(), false};
  return {*(above - 1), *above, true};
}

// How far from the near turn to the far one a departure in between is.
double share_of_the_way(const TracedStage& stage, const Neighbours& turn, int epoch) {
  const double near = stage.loss_after(turn.near->after);
  const double whole = stage.loss_after(turn.far->after) - near;
  if (std::abs(whole) > kNoDifference)
    return std::clamp((stage.loss_after(epoch) - near) / whole, 0.0, 1.0);
  return static_cast<double>(epoch - turn.near->after) /
         static_cast<double>(turn.far->after - turn.near->after);
}

}  // namespace

Replay::Replay(const TraceTree& tree, TracedStageId root) : tree_(&tree), root_(root) {
  ESPALIER_CHECK(!tree.stage(root).losses.empty());
  tie({.stage = root});
}

std::size_t Replay::tie(const Knot& knot) {
  knots_.push_back(knot);
  return knots_.size() - 1;
}

TracedPlaceId Replay::place() const {
  return departures_.empty() ? tree_->stage(root_).place : departures_.back().to;
}

double Replay::loss() const { return std::max(0.0, loss_of(knots_.back())); }

double Replay::loss_of(const Knot& knot) const {
  if (knot.kind == Knot::Kind::Traced) return tree_->stage(knot.stage).loss_after(epochs_);
  const double near = loss_of(knots_[knot.near]);
  const double far = knot.near == knot.far ? near : loss_of(knots_[knot.far]);
  if (knot.kind == Knot::Kind::Between) return near + knot.share * (far - near);
  const bool tells = knot.near != knot.far && std::abs(knot.apart) > kNoDifference;
  const double share = tells ? std::clamp((near - far) / knot.apart, 0.0, 1.0) : 1.0;
  if (knot.ahead >= 0) return near + knot.ahead * share;
  return near * (1 + share * knot.ahead / knot.before);
}

bool Replay::is_beyond() const {
  return std::any_of(knots_.begin(), knots_.end(), [&](const Knot& knot) {
    return knot.kind == Knot::Kind::Traced && epochs_ > tree_->stage(knot.stage).epochs();
  });
}

bool Replay::is_at_end() const {
  return std::all_of(knots_.begin(), knots_.end(), [&](const Knot& knot) {
    return knot.kind != Knot::Kind::Traced || epochs_ >= tree_->stage(knot.stage).epochs();
  });
}

bool Replay::can_change(TracedPlaceId to) const {
  std::vector<Departure> departures = departures_;
  departures.push_back({epochs_, to});
  return leads_on<Departure>(*tree_, tree_->stage(root_), departures);
}

void Replay::change(TracedPlaceId to) {
  departures_.push_back({epochs_, to});
  knots_.clear();
  weave(root_, 0);
  epochs_ = 0;
}

// The curve that the departures from `next` on lead to, from a stage they do lead on from.
std::size_t Replay::weave(TracedStageId from, std::size_t next) {
  if (next == departures_.size()) return tie({.stage = from});
  const auto [epoch, to] = departures_[next];
  const TracedStage& stage = tree_->stage(from);
  const std::span<const Departure> rest = std::span(departures_).subspan(next + 1);
  std::vector<const TracedTurn*> turns;
  for (const TracedTurn& turn : stage.turns) {
    if (turn.to == to && leads_on(*tree_, tree_->stage(turn.stage), rest)) turns.push_back(&turn);
  }
  ESPALIER_CHECK(!turns.empty());
  const Neighbours turn = neighbours_of(turns, epoch);
  const std::size_t near = weave(turn.near->stage, next + 1);
  if (turn.encloses && turn.near == turn.far) return near;
  const std::size_t far = turn.near == turn.far ? near : weave(turn.far->stage, next + 1);
  if (turn.encloses)
    return tie({.kind = Knot::Kind::Between,
                .near = near,
                .far = far,
                .share = share_of_the_way(stage, turn, epoch)});
  const double before_near = stage.loss_after(turn.near->after);
  return tie({.kind = Knot::Kind::Beyond,
              .near = near,
              .far = far,
              .ahead = stage.loss_after(epoch) - before_near,
              .before = before_near,
              .apart = before_near - stage.loss_after(turn.far->after)});
}

}  // namespace espalier
