// SPDX-License-Identifier: Apache-2.0
#include "search/cost_front.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/infinite.h"

namespace espalier {
namespace {

constexpr double kSlack = 1e-12;

}  // namespace

std::size_t CostFront::Stair::find(double loss) const {
  return static_cast<std::size_t>(std::lower_bound(losses.begin(), losses.end(), loss) -
                                  losses.begin());
}

std::size_t CostFront::Stair::find_arrival(double loss) const {
  return static_cast<std::size_t>(std::lower_bound(arrivals.begin(), arrivals.end(), loss) -
                                  arrivals.begin());
}

CostFront::CostFront(const SearchGraph& graph, double energy_weight, double time_weight)
    : CostBound(energy_weight, time_weight),
      graph_(graph),
      ceiling_(graph.ceiling()),
      stairs_(static_cast<std::size_t>(graph.size())),
      last_losses_(stairs_.size(), -1),
      candidates_(graph.arc_count() * static_cast<std::size_t>(graph.layers()), {kInfinite, 0, 0}),
      waiting_(candidates_.size(), 1),
      arc_costs_(graph.arc_count()),
      keys_(stairs_.size(), kInfinite),
      best_arcs_(stairs_.size(), 0),
      heap_(stairs_.size()),
      heap_pos_(stairs_.size()) {
  for (std::size_t a = 0; a < arc_costs_.size(); ++a)
    arc_costs_[a] = graph.arc(a).cost(energy_weight, time_weight);
  std::iota(heap_.begin(), heap_.end(), 0);
  std::iota(heap_pos_.begin(), heap_pos_.end(), 0U);
  const double target = graph.problem().goal().loss_bound().value;
  // All nodes know the goal before any of them hears of ways to it.
  for (NodeIndex node = 0; node < graph.size(); ++node) {
    if (graph.site(node).may_end) settle(node, 0, std::min(target, ceiling_), kGoal);
  }
  for (NodeIndex node = 0; node < graph.size(); ++node) {
    if (graph.site(node).may_end) offer_back(node);
  }
}

CostFront::Candidate* CostFront::candidates_of(NodeIndex node) {
  const auto layer = static_cast<std::size_t>(graph_.layer(node));
  return candidates_.data() + layer * graph_.arc_count() + graph_.first_arc(node);
}

double CostFront::loss_before(const Jump& jump, double arrival) const {
  if (jump.add == 0 && jump.scale == 1) return arrival;
  const double loss = jump.largest_before(arrival);
  return std::min(loss + kSlack * (std::abs(loss) + std::abs(arrival)), ceiling_);
}

void CostFront::settle(NodeIndex node, double cost, double loss, std::uint32_t way) {
  Stair& stair = stairs_[static_cast<std::size_t>(node)];
  stair.costs.push_back(cost);
  stair.losses.push_back(loss);
  stair.arrivals.push_back(graph_.largest_arrival(node, loss));
  stair.ways.push_back(way);
  last_losses_[static_cast<std::size_t>(node)] = loss;
  ++points_;
}

// The newest point of `node` becomes the candidate of every arc that was waiting for one.
void CostFront::offer_back(NodeIndex node) {
  const Stair& stair = stairs_[static_cast<std::size_t>(node)];
  const auto point = static_cast<std::uint32_t>(stair.size() - 1);
  const double arrival = stair.arrivals[point];
  const std::span<const SearchGraph::InArc> in_arcs = graph_.in_arcs(node);
  const SearchGraph::Layers layers = graph_.layers_before(node);
  for (int l = 0; l < layers.count; ++l) {
    const std::size_t first = static_cast<std::size_t>(layers.layer[l]) * graph_.arc_count();
    std::uint8_t* waiting = waiting_.data() + first + graph_.first_in_arc(node);
    const NodeIndex first_node = layers.layer[l] * graph_.sites();
    for (std::size_t i = 0; i < in_arcs.size(); ++i) {
      if (!waiting[i]) continue;
      const NodeIndex before = first_node + in_arcs[i].from;
      const double loss = loss_before(in_arcs[i].jump, arrival);
      if (loss <= last_losses_[static_cast<std::size_t>(before)]) continue;
      waiting[i] = 0;
      const std::uint32_t arc = in_arcs[i].arc;
      const double cost = stair.costs[point] + arc_costs_[arc];
      candidates_[first + arc] = {cost, loss, point};
      if (cost < keys_[static_cast<std::size_t>(before)]) set_key(before, cost, arc);
    }
  }
}

void CostFront::settle_cheapest() {
  const NodeIndex node = heap_.front();
  const std::uint32_t best = best_arcs_[static_cast<std::size_t>(node)];
  const Candidate candidate = candidates_of(node)[best - graph_.first_arc(node)];
  settle(node, candidate.cost, candidate.loss, best);
  offer_back(node);
  look_further(node);
}

// Moves the candidate of an arc of `node` to the first point of the arc's head that helps from
// above `loss`.
void CostFront::skip(Candidate& candidate, NodeIndex node, std::size_t arc, double loss) {
  const Arc& way = graph_.arc(arc);
  const Stair& head = stairs_[static_cast<std::size_t>(graph_.head(node, way))];
  do {
    if (++candidate.point == head.size()) {
      candidate.cost = kInfinite;
      waiting_[static_cast<std::size_t>(graph_.layer(node)) * graph_.arc_count() +
               graph_.in_index(arc)] = 1;
      return;
    }
    candidate.loss = loss_before(way.jump, head.arrivals[candidate.point]);
  } while (candidate.loss <= loss);
  candidate.cost = head.costs[candidate.point] + arc_costs_[arc];
}

// Moves every candidate of `node` past what its newest point made useless, and finds the cheapest
// that is left.
void CostFront::look_further(NodeIndex node) {
  const double loss = last_losses_[static_cast<std::size_t>(node)];
  const std::size_t count = graph_.arcs(node).size();
  const std::size_t first = graph_.first_arc(node);
  Candidate* candidates = candidates_of(node);
  double key = kInfinite;
  std::size_t best = 0;
  for (std::size_t a = 0; a < count; ++a) {
    Candidate& candidate = candidates[a];
    if (candidate.cost == kInfinite) continue;
    if (candidate.loss <= loss) skip(candidate, node, first + a, loss);
    if (candidate.cost < key) {
      key = candidate.cost;
      best = a;
    }
  }
  set_key(node, key, static_cast<std::uint32_t>(first + best));
}

void CostFront::extend_to(double limit, std::stop_token stop, std::int64_t max_points) {
  for (int i = 0; keys_[static_cast<std::size_t>(heap_.front())] <= limit && points_ < max_points;
       ++i) {
    if (keys_[static_cast<std::size_t>(heap_.front())] == kInfinite) break;
    if ((i & 1023) == 0 && stop.stop_requested()) break;
    settle_cheapest();
  }
  frontier_ = keys_[static_cast<std::size_t>(heap_.front())];
}

double CostFront::extend_to(const State& state, std::stop_token stop, std::int64_t max_points) {
  const std::int64_t batch = 64 + 4 * static_cast<std::int64_t>(graph_.size());
  frontier_ = keys_[static_cast<std::size_t>(heap_.front())];
  while (from(state) >= frontier_ && frontier_ < kInfinite && points_ < max_points) {
    if (stop.stop_requested()) break;
    extend_to(kInfinite, stop, std::min(max_points, points_ + batch));
  }
  return from(state);
}

double CostFront::from(const State& state) const {
  double least = kInfinite;
  for (const Arc& arc : graph_.arcs_from(state)) {
    const double arrival = arc.jump.apply(state.loss.value);
    if (arrival > ceiling_ && arrival > state.loss.value) continue;
    least = std::min(least, arc.cost(energy_weight(), time_weight()) +
                                bound(arc.to, graph_.arrive(arc.to, arrival)));
  }
  return least;
}

std::vector<PlacementId> CostFront::cheapest_path(const State& state) const {
  const Goal& goal = graph_.problem().goal();
  double least = kInfinite;
  NodeIndex node = kNoNode;
  double loss = 0;
  for (const Arc& arc : graph_.arcs_from(state)) {
    const double arrival = arc.jump.apply(state.loss.value);
    if (arrival > ceiling_ && arrival > state.loss.value) continue;
    const double after = graph_.arrive(arc.to, arrival);
    const double cost = arc.cost(energy_weight(), time_weight()) + bound(arc.to, after);
    if (cost < least) {
      least = cost;
      node = arc.to;
      loss = after;
    }
  }
  std::vector<PlacementId> path;
  for (std::int64_t steps = 0; node != kNoNode && steps <= points_; ++steps) {
    if (graph_.site(node).trains) path.push_back(graph_.site(node).placement);
    if (loss <= goal.loss_bound().value && graph_.site(node).may_end) return path;
    const Stair& stair = stairs_[static_cast<std::size_t>(node)];
    const std::size_t i = stair.find(std::min(loss, ceiling_));
    if (i >= stair.size() || stair.ways[i] == kGoal) break;
    const Arc& arc = graph_.arc(stair.ways[i]);
    node = graph_.head(node, arc);
    loss = graph_.arrive(node, arc.jump.apply(loss));
  }
  return {};
}

std::int64_t CostFront::bytes() const {
  return points_ * static_cast<std::int64_t>(3 * sizeof(double) + sizeof(std::uint32_t)) +
         static_cast<std::int64_t>(candidates_.size() * sizeof(Candidate));
}

// --- the heap ------------------------------------------------------------------------------------

void CostFront::set_key(NodeIndex node, double key, std::uint32_t arc) {
  const auto n = static_cast<std::size_t>(node);
  const double before = keys_[n];
  keys_[n] = key;
  best_arcs_[n] = arc;
  if (key < before) {
    sift_up(heap_pos_[n]);
  } else {
    sift_down(heap_pos_[n]);
  }
}

void CostFront::sift_up(std::size_t at) {
  const NodeIndex node = heap_[at];
  const double key = keys_[static_cast<std::size_t>(node)];
  while (at > 0) {
    const std::size_t parent = (at - 1) / 2;
    if (keys_[static_cast<std::size_t>(heap_[parent])] <= key) break;
    heap_[at] = heap_[parent];
    heap_pos_[static_cast<std::size_t>(heap_[at])] = static_cast<std::uint32_t>(at);
    at = parent;
  }
  heap_[at] = node;
  heap_pos_[static_cast<std::size_t>(node)] = static_cast<std::uint32_t>(at);
}

void CostFront::sift_down(std::size_t at) {
  const NodeIndex node = heap_[at];
  const double key = keys_[static_cast<std::size_t>(node)];
  const std::size_t size = heap_.size();
  for (std::size_t child = 2 * at + 1; child < size; child = 2 * at + 1) {
    const auto key_of = [&](std::size_t i) { return keys_[static_cast<std::size_t>(heap_[i])]; };
    if (child + 1 < size && key_of(child + 1) < key_of(child)) ++child;
    if (key_of(child) >= key) break;
    heap_[at] = heap_[child];
    heap_pos_[static_cast<std::size_t>(heap_[at])] = static_cast<std::uint32_t>(at);
    at = child;
  }
  heap_[at] = node;
  heap_pos_[static_cast<std::size_t>(node)] = static_cast<std::uint32_t>(at);
}

}  // namespace espalier
