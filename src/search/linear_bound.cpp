// SPDX-License-Identifier: Apache-2.0
#include "search/linear_bound.h"

#include <algorithm>

#include "core/infinite.h"

namespace espalier {
namespace {

constexpr std::int32_t kEnd = -1;

double step_of(const StepsRule& rule, double factor, int epoch) {
  const auto i = static_cast<std::size_t>(epoch - 1);
  return i < rule.steps.size() ? factor * rule.steps[i] : 0;
}

}  // namespace

std::optional<AdditiveGraph> AdditiveGraph::of(const SearchGraph& graph) {
  for (NodeIndex site = 0; site < graph.sites(); ++site) {
    const LearningRule* rule = graph.site(site).rule;
    if (rule && !std::holds_alternative<StepsRule>(rule->shape())) return {};
  }
  for (std::size_t a = 0; a < graph.arc_count(); ++a) {
    if (graph.arc(a).jump.scale != 1) return {};
  }
  return AdditiveGraph(graph);
}

AdditiveGraph::AdditiveGraph(const SearchGraph& graph)
    : graph_(&graph), steps_(static_cast<std::size_t>(graph.size()), 0) {
  for (NodeIndex node = 0; node < graph.size(); ++node) {
    const LearningRule* rule = graph.site(node).rule;
    if (!rule) continue;
    steps_[static_cast<std::size_t>(node)] =
        step_of(std::get<StepsRule>(rule->shape()), rule->factor(), graph.layer(node) + 1);
  }
}

LinearBound::LinearBound(const AdditiveGraph& graph, const Prices& prices)
    : CostBound(prices.energy, prices.time),
      graph_(&graph),
      prices_(prices),
      to_go_(static_cast<std::size_t>(graph.graph().size()), kInfinite),
      on_arrival_(to_go_.size(), kInfinite),
      ways_(to_go_.size(), kEnd) {
  const SearchGraph& g = graph.graph();
  const double target = g.problem().goal().loss_bound().value;
  for (NodeIndex node = 0; node < g.size(); ++node) {
    if (!g.site(node).may_end) continue;
    const auto n = static_cast<std::size_t>(node);
    to_go_[n] = -prices.loss * target;
    on_arrival_[n] = to_go_[n] + prices.loss * graph.step(node);
  }
  // The last layer leads to itself.
  const int last = g.layers() - 1;
  bool is_settled = false;
  for (NodeIndex round = 0; !is_settled && round <= g.sites(); ++round)
    is_settled = !relax_layer(last);
  is_valid_ = is_settled;
  for (int layer = last - 1; layer >= 0; --layer) relax_layer(layer);
}

bool LinearBound::relax(NodeIndex node) {
  const SearchGraph& g = graph_->graph();
  const auto n = static_cast<std::size_t>(node);
  bool is_better = false;
  for (const Arc& arc : g.arcs(node)) {
    const double cost = arc.cost(prices_.energy, prices_.time) + prices_.loss * arc.jump.add +
                        on_arrival_[static_cast<std::size_t>(g.head(node, arc))];
    if (!(cost < to_go_[n])) continue;
    to_go_[n] = cost;
    ways_[n] = static_cast<std::int32_t>(&arc - g.arcs(node).data());
    is_better = true;
  }
  if (is_better) on_arrival_[n] = to_go_[n] + prices_.loss * graph_->step(node);
  return is_better;
}

// Half-way houses lead to the next layer, everything else may lead to them: they go first.
bool LinearBound::relax_layer(int layer) {
  const SearchGraph& g = graph_->graph();
  bool is_better = false;
  for (const bool trains : {false, true}) {
    for (NodeIndex site = 0; site < g.sites(); ++site) {
      if (g.site(site).trains == trains) is_better |= relax(layer * g.sites() + site);
    }
  }
  return is_better;
}

double LinearBound::from(const State& state) const {
  double least = is_valid_ ? kInfinite : 0;
  for (const Arc& arc : graph_->graph().arcs_from(state)) {
    least = std::min(least, arc.cost(prices_.energy, prices_.time) +
                                on_arrival(arc.to, state.loss.value + arc.jump.add));
  }
  return least;
}

template <class Visit>
void LinearBound::walk(const State& state, const Visit& visit) const {
  const SearchGraph& g = graph_->graph();
  const std::vector<Arc> first = g.arcs_from(state);
  if (first.empty() || !is_valid_) return;
  const auto cost = [&](const Arc& arc) {
    return arc.cost(prices_.energy, prices_.time) +
           on_arrival(arc.to, state.loss.value + arc.jump.add);
  };
  const Arc* arc = &*std::min_element(
      first.begin(), first.end(), [&](const Arc& a, const Arc& b) { return cost(a) < cost(b); });
  NodeIndex node = arc->to;
  while (true) {
    visit(*arc, node);
    const std::int32_t way = ways_[static_cast<std::size_t>(node)];
    if (way == kEnd) return;
    arc = &g.arcs(node)[static_cast<std::size_t>(way)];
    node = g.head(node, *arc);
  }
}

std::vector<PlacementId> LinearBound::cheapest_path(const State& state) const {
  std::vector<PlacementId> path;
  walk(state, [&](const Arc&, NodeIndex node) {
    const SearchGraph::Site& site = graph_->graph().site(node);
    if (site.trains) path.push_back(site.placement);
  });
  return path;
}

State LinearBound::end_of_cheapest_path(const State& state) const {
  State end = state;
  walk(state, [&](const Arc& arc, NodeIndex node) {
    end.energy += Joules{arc.energy};
    end.time += Seconds{arc.time};
    end.loss += Loss{arc.jump.add + graph_->step(node)};
  });
  return end;
}

}  // namespace espalier
