// SPDX-License-Identifier: Apache-2.0
#include "search/label_search.h"

#include <algorithm>
#include <limits>

namespace espalier {

LabelSearch::LabelSearch(const SearchGraph& graph, const CompletionBound& bound,
                         const Rounding& rounding)
    : graph_(graph),
      bound_(bound),
      rounding_(rounding),
      target_(graph.problem().goal().loss_bound().value),
      ceiling_(graph.ceiling()) {}

// The new label, or nothing if it is no use.
std::optional<std::int32_t> LabelSearch::create(const Label& origin, std::int32_t parent,
                                                NodeIndex node, const Arc& arc) {
  const double arrival = arc.jump.apply(origin.loss);
  if (arrival > ceiling_ && arrival > origin.loss) return {};
  const double energy = origin.energy + arc.energy;
  const double time = rounding_.time_up(origin.time + arc.time);
  const double bound = bound_.least_total(node, arrival, energy, time, cut_);
  if (bound >= cut_) {
    met_cut_ |= bound < std::numeric_limits<double>::infinity();
    return {};
  }
  const double loss = rounding_.loss_up(graph_.arrive(node, arrival));
  if (stairs_[static_cast<std::size_t>(node)].dominates(loss, time)) return {};
  const auto index = static_cast<std::int32_t>(labels_.size());
  labels_.push_back({energy, time, loss, bound, node, parent});
  if (loss <= target_ && graph_.site(node).may_end) {
    best_ = index;
    cut_ = energy;
    return {};
  }
  return index;
}

// A label waits for its turn, unless it costs no more than its origin: then it has come already.
void LabelSearch::enqueue(std::int32_t index, const Arc& arc) {
  const Label& label = labels_[static_cast<std::size_t>(index)];
  if (arc.energy == 0 && !graph_.site(label.node).trains) {
    settle(index);
  } else {
    queue_.push({label.energy, index});
  }
}

void LabelSearch::settle(std::int32_t index) {
  const Label label = labels_[static_cast<std::size_t>(index)];
  Staircase& stair = stairs_[static_cast<std::size_t>(label.node)];
  if (label.bound >= cut_ || stair.dominates(label.loss, label.time)) return;
  stair.insert(label.loss, label.time);
  for (const Arc& arc : graph_.arcs(label.node)) {
    if (const auto next = create(label, index, graph_.head(label.node, arc), arc))
      enqueue(*next, arc);
  }
}

LabelSearch::Outcome LabelSearch::run(const State& start, double cut, const Limits& limits) {
  labels_.clear();
  queue_.reset(start.energy.value, cut);
  stairs_.assign(static_cast<std::size_t>(graph_.size()), {});
  cut_ = cut;
  best_ = -1;
  met_cut_ = false;
  const Label origin{start.energy.value, start.time.value, start.loss.value, 0, kNoNode, -1};
  for (const Arc& arc : graph_.arcs_from(start)) {
    if (const auto first = create(origin, -1, arc.to, arc)) enqueue(*first, arc);
  }
  const auto max_labels =
      static_cast<std::size_t>(std::min<std::int64_t>(limits.max_labels, 2'000'000'000));
  bool complete = true;
  for (std::size_t i = 0; !queue_.empty(); ++i) {
    if (labels_.size() > max_labels || ((i & 1023) == 0 && limits.stop.stop_requested())) {
      complete = false;
      break;
    }
    const EnergyQueue::Entry entry = queue_.pop();
    if (entry.energy >= cut_) break;
    settle(entry.label);
  }
  const auto count = static_cast<std::int64_t>(labels_.size());
  return {best_ < 0 ? std::vector<PlacementId>{} : path_to(best_),
          cut_,
          complete,
          met_cut_,
          count,
          count * static_cast<std::int64_t>(sizeof(Label) + sizeof(EnergyQueue::Entry) +
                                            sizeof(Staircase::Corner))};
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
