// SPDX-License-Identifier: Apache-2.0
#include "search/least_loss.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

namespace espalier {
namespace {

struct Label {
  double loss;
  NodeIndex node;
  std::int32_t parent;
};

struct Entry {
  double time;
  std::int32_t label;
  friend bool operator>(const Entry& a, const Entry& b) {
    return a.time != b.time ? a.time > b.time : a.label > b.label;
  }
};

class Search {
 public:
  explicit Search(const SearchGraph& graph)
      : graph_(graph),
        deadline_(graph.problem().goal().time_bound().value),
        reached_(static_cast<std::size_t>(graph.size()), std::numeric_limits<double>::infinity()) {}

  std::optional<LeastLoss> run(const State& now, std::int64_t max_labels,
                               const std::stop_token& stop) {
    best_loss_ = now.loss.value;
    for (const Arc& arc : graph_.arcs_from(now))
      create(now.loss.value, now.time.value, -1, arc.to, arc);
    while (!queue_.empty()) {
      if (static_cast<std::int64_t>(labels_.size()) > max_labels) return std::nullopt;
      if ((labels_.size() & 1023) == 0 && stop.stop_requested()) return std::nullopt;
      const Entry entry = queue_.top();
      queue_.pop();
      settle(entry);
    }
    return LeastLoss{best_loss_, path_to(best_)};
  }

 private:
  void create(double loss, double time, std::int32_t parent, NodeIndex node, const Arc& arc) {
    const double arrival = arc.jump.apply(loss);
    if (arrival > graph_.ceiling() && arrival > loss) return;
    if (time + arc.time > deadline_) return;
    const double after = graph_.arrive(node, arrival);
    if (after >= reached_[static_cast<std::size_t>(node)]) return;
    queue_.push({time + arc.time, static_cast<std::int32_t>(labels_.size())});
    labels_.push_back({after, node, parent});
  }

  void settle(const Entry& entry) {
    const Label label = labels_[static_cast<std::size_t>(entry.label)];
    double& reached = reached_[static_cast<std::size_t>(label.node)];
    if (label.loss >= reached) return;
    reached = label.loss;
    if (label.loss < best_loss_ && graph_.site(label.node).may_end) {
      best_loss_ = label.loss;
      best_ = entry.label;
    }
    for (const Arc& arc : graph_.arcs(label.node)) {
      create(label.loss, entry.time, entry.label, graph_.head(label.node, arc), arc);
    }
  }

  std::vector<PlacementId> path_to(std::int32_t label) const {
    std::vector<PlacementId> path;
    for (; label >= 0; label = labels_[static_cast<std::size_t>(label)].parent) {
      const auto& site = graph_.site(labels_[static_cast<std::size_t>(label)].node);
      if (site.trains) path.push_back(site.placement);
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  const SearchGraph& graph_;
  double deadline_;
  double best_loss_ = 0;
  std::int32_t best_ = -1;
  std::vector<double> reached_;
  std::vector<Label> labels_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace

std::optional<LeastLoss> least_loss(const SearchGraph& graph, const State& now,
                                    std::int64_t max_labels, std::stop_token stop) {
  return Search(graph).run(now, max_labels, stop);
}

}  // namespace espalier
