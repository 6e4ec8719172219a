// SPDX-License-Identifier: Apache-2.0
#include "strategies/label_search.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace espalier {

LabelSearch::LabelSearch(const SearchGraph& graph, const Bounds& bounds, const Rounding& rounding)
    : graph_(graph),
      bounds_(bounds),
      rounding_(rounding),
      deadline_(graph.problem().goal().time_bound().value),
      target_(graph.problem().goal().loss_bound().value),
      ceiling_(graph.ceiling()) {}

// Infinite if the deadline cannot be met; else the least total energy of a plan through here.
double LabelSearch::bound_of(NodeIndex node, double arrival, double energy, double time) const {
  constexpr double kHopeless = std::numeric_limits<double>::infinity();
  if (time > deadline_) return kHopeless;
  double bound = energy;
  for (const CostFront* front : bounds_.energy) {
    const double rest =
        front->bound_on_arrival(node, arrival) - front->time_weight() * (deadline_ - time);
    bound = std::max(bound, energy + rest);
    if (bound >= cut_) return bound;
  }
  if (bounds_.time && time + bounds_.time->bound_on_arrival(node, arrival) > deadline_)
    return kHopeless;
  return bound;
}

bool LabelSearch::is_dominated(const Stair& stair, double loss, double time) {
  const auto above =
      std::upper_bound(stair.begin(), stair.end(), loss,
                       [](double l, const Corner& corner) { return l < corner.loss; });
  return above != stair.begin() && std::prev(above)->time <= time;
}

void LabelSearch::insert(Stair& stair, Corner corner) {
  const auto at = std::lower_bound(stair.begin(), stair.end(), corner.loss,
                                   [](const Corner& c, double loss) { return c.loss < loss; });
  auto end = at;
  while (end != stair.end() && end->time >= corner.time) ++end;
  if (end == at) {
    stair.insert(at, corner);
  } else {
    *at = corner;
    stair.erase(at + 1, end);
  }
}

void LabelSearch::create(const Label& origin, std::int32_t parent, NodeIndex node, const Arc& arc) {
  const double arrival = arc.jump.apply(origin.loss);
  if (arrival > ceiling_ && arrival > origin.loss) return;
  const double energy = origin.energy + arc.energy;
  const double time = rounding_.time_up(origin.time + arc.time);
  const double bound = bound_of(node, arrival, energy, time);
  if (bound >= cut_) return;
  const double loss = rounding_.loss_up(graph_.arrive(node, arrival));
  if (is_dominated(stairs_[static_cast<std::size_t>(node)], loss, time)) return;
  const auto index = static_cast<std::int32_t>(labels_.size());
  labels_.push_back({energy, time, loss, bound, node, parent});
  if (loss <= target_ && graph_.site(node).may_end) {
    best_ = index;
    cut_ = energy;
    return;
  }
  queue_.push_back({energy, index});
  std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
}

LabelSearch::Outcome LabelSearch::run(const State& start, double cut, const Limits& limits) {
  labels_.clear();
  queue_.clear();
  stairs_.assign(static_cast<std::size_t>(graph_.size()), {});
  cut_ = cut;
  best_ = -1;
  const Label origin{start.energy.value, start.time.value, start.loss.value, 0, kNoNode, -1};
  for (const Arc& arc : graph_.arcs_from(start)) create(origin, -1, arc.to, arc);

  const auto max_labels =
      static_cast<std::size_t>(std::min<std::int64_t>(limits.max_labels, 2'000'000'000));
  bool complete = true;
  for (std::size_t i = 0; !queue_.empty() && queue_.front().energy < cut_; ++i) {
    if (labels_.size() > max_labels || ((i & 1023) == 0 && limits.stop.stop_requested())) {
      complete = false;
      break;
    }
    const std::int32_t index = queue_.front().label;
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    queue_.pop_back();
    const Label label = labels_[static_cast<std::size_t>(index)];
    Stair& stair = stairs_[static_cast<std::size_t>(label.node)];
    if (label.bound >= cut_ || is_dominated(stair, label.loss, label.time)) continue;
    insert(stair, {label.loss, label.time});
    for (const Arc& arc : graph_.arcs(label.node))
      create(label, index, graph_.head(label.node, arc), arc);
  }
  const auto count = static_cast<std::int64_t>(labels_.size());
  return {best_ < 0 ? std::vector<PlacementId>{} : path_to(best_), cut_, complete, count,
          count * static_cast<std::int64_t>(sizeof(Label) + sizeof(Entry) + sizeof(Corner))};
}

std::vector<PlacementId> LabelSearch::path_to(std::int32_t label) const {
  std::vector<PlacementId> path;
  for (; label >= 0; label = labels_[static_cast<std::size_t>(label)].parent) {
    const SearchGraph::Site& site = graph_.site(labels_[static_cast<std::size_t>(label)].node);
    if (site.trains) path.push_back(site.placement);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace espalier
