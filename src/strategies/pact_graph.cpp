// SPDX-License-Identifier: Apache-2.0
#include "strategies/pact_graph.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/infinite.h"
#include "core/plan.h"
#include "search/label_search.h"
#include "strategies/opportunity.h"

namespace espalier {
namespace {

constexpr std::size_t kFirstTable = 1 << 10;
// Sums of the same energies in another order differ by less than this (relative).
constexpr double kSameEnergy = 1e-12;

std::uint64_t hash_of(std::int32_t placement, std::int32_t loss, std::int32_t time) {
  std::uint64_t h = static_cast<std::uint32_t>(loss);
  h = h * 0x9e3779b97f4a7c15ULL + static_cast<std::uint32_t>(time);
  h = h * 0x9e3779b97f4a7c15ULL + static_cast<std::uint32_t>(placement);
  return h ^ (h >> 29);
}

PlacementId id(std::int32_t index) { return {index}; }

}  // namespace

PactGraph::PactGraph(const SearchGraph& graph, CostFront& time_front, CostFront& energy_front,
                     const Options& options)
    : graph_(graph),
      problem_(graph.problem()),
      time_front_(time_front),
      energy_front_(energy_front),
      options_(options),
      actions_(problem_.size()) {
  const auto count = static_cast<std::int32_t>(problem_.size());
  for (std::int32_t from = 0; from < count; ++from) {
    for (std::int32_t to = 0; to < count; ++to) {
      const auto change = problem_.change(id(from), id(to));
      const Training& target = problem_.training(id(to));
      if (!change || !target.possible) continue;
      actions_[id(from).pos()].push_back({to, (change->energy + target.energy).value,
                                          (change->time + target.time).value, change->jump});
    }
  }
}

State PactGraph::on_grid(const State& state) const {
  State rounded = state;
  rounded.loss.value = options_.rounding.loss_up(state.loss.value);
  rounded.time.value = options_.rounding.time_up(state.time.value);
  return rounded;
}

PactGraph::Outcome PactGraph::choose(const State& now, std::stop_token stop) {
  stop_ = std::move(stop);
  prepare(now);
  Outcome outcome;
  if (weight_limit_ >= 0) {
    std::size_t layer = 0;
    for (int epoch = now.epoch + 1; layer < vertices_.size() && !is_cut_; ++epoch) {
      const std::size_t next = vertices_.size();
      table_.assign(kFirstTable, -1);
      for (std::size_t v = layer; v < next && !is_cut_; ++v) expand(v, epoch, next);
      layer = next;
    }
    outcome.choice = best_choice(now);
  }
  outcome.complete = !is_cut_;
  outcome.vertices = static_cast<std::int64_t>(vertices_.size());
  outcome.bytes = outcome.vertices * static_cast<std::int64_t>(sizeof(Vertex));
  return outcome;
}

bool PactGraph::has_path(const State& now, std::stop_token stop) {
  stop_ = std::move(stop);
  return !cheapest_path(graph_, time_front_, energy_front_, on_grid(now)).empty();
}

void PactGraph::prepare(const State& now) {
  is_cut_ = false;
  vertices_.clear();
  goals_.clear();
  way_back_.assign(problem_.size(), std::nullopt);
  const State start = on_grid(now);
  const auto steps = [](double value, double step) {
    return static_cast<std::int32_t>(Rounding::multiple(value, step));
  };
  vertices_.push_back({now.placement.index, -1, -1,
                       steps(start.loss.value, options_.rounding.loss_step),
                       steps(start.time.value, options_.rounding.time_step),
                       steps(start.loss.value, options_.rounding.loss_step), 0});
  weight_limit_ = weight_limit(now);
}

// The best score is at most that of the cheapest path of all. Negative if the grid has no path to
// the goal.
double PactGraph::weight_limit(const State& now) {
  State start = on_grid(now);
  start.energy = Joules{0};
  const auto path = cheapest_path(graph_, time_front_, energy_front_, start);
  if (path.empty()) return -1;
  double weight = 0;
  for (State at = start; const PlacementId to : path) {
    at = on_grid(*advance(problem_, options_.estimator, at, to));
    weight = at.energy.value;
  }
  const double most = highest_opportunity(problem_, options_.estimator, start);
  if (most == kInfinite) return kInfinite;
  const double back = way_back(path.front(), now);
  const double worst =
      back < kInfinite ? std::max(weight, back) : weight * options_.irreversible_risk;
  return worst * most * (1 + 1e-9);
}

// On the grid. Empty if there is none. Cuts rise until something is found, so that few labels are
// made.
std::vector<PlacementId> PactGraph::cheapest_path(const SearchGraph& graph, CostFront& time,
                                                  CostFront& energy, const State& from) {
  const double time_left = (problem_.goal().time_bound() - from.time).value;
  if (time.extend_to(from, stop_, options_.max_vertices) > time_left) return {};
  time.extend_to(time_left, stop_, options_.max_vertices);
  const double least = energy.extend_to(from, stop_, options_.max_vertices);
  const BestOfBounds bounds(problem_.goal().time_bound().value, {&energy, &time});
  for (double share = 1.02; !stop_.stop_requested(); share = 1 + 3 * (share - 1)) {
    const double cut = share < 50 ? from.energy.value + share * least : kInfinite;
    if (cut < kInfinite) energy.extend_to(cut - from.energy.value, stop_, options_.max_vertices);
    LabelSearch search(graph, bounds, options_.rounding);
    const auto outcome = search.run(from, cut, {options_.max_vertices, stop_});
    if (!outcome.complete) is_cut_ = true;
    if (!outcome.path.empty() || cut == kInfinite || is_cut_) return outcome.path;
  }
  return {};
}

// Energy of the first step plus the cheapest way from its end to the goal through the current
// model; infinite if that model cannot be trained again.
double PactGraph::way_back(PlacementId first, const State& now) {
  auto& known = way_back_[first.pos()];
  if (known) return *known;
  const ModelId model = problem_.training(now.placement).at.model;
  if (!options_.weighs_risk) return *(known = 0);
  State start = on_grid(now);
  start.energy = Joules{0};
  const State end = on_grid(*advance(problem_, options_.estimator, start, first));
  if (problem_.training(first).at.model == model) return *(known = 0);
  const SearchGraph through(problem_, options_.estimator, PlanShape::through(model));
  CostFront time(through, 0, 1);
  CostFront energy(through, 1, 0);
  const auto path = cheapest_path(through, time, energy, end);
  if (path.empty()) return *(known = kInfinite);
  State at = end;
  for (const PlacementId to : path) at = on_grid(*advance(problem_, options_.estimator, at, to));
  return *(known = at.energy.value);
}

void PactGraph::expand(std::size_t index, int epoch, std::size_t next_layer) {
  if ((index & 1023) == 0 && stop_.stop_requested()) is_cut_ = true;
  if (static_cast<std::int64_t>(vertices_.size()) > options_.max_vertices) is_cut_ = true;
  const auto placement = static_cast<std::size_t>(vertices_[index].placement);
  for (const Action& action : actions_[placement]) relax(index, action, epoch, next_layer);
}

void PactGraph::relax(std::size_t from, const Action& action, int epoch, std::size_t next_layer) {
  const Rounding& grid = options_.rounding;
  const Vertex tail = vertices_[from];
  const double loss = grid.loss_step * tail.loss;
  const double time = grid.time_step * tail.time + action.time;
  const Training& target = problem_.training(id(action.to));
  const double arrival = action.jump[options_.estimator].apply(loss);
  if (arrival > problem_.ceiling() && arrival > loss) return;
  const double robust = target.rule[options_.estimator].next(epoch, arrival);
  const double hoped = action.jump.expected.apply(grid.loss_step * tail.expected_loss);
  const double expected = target.rule.expected.next(epoch, hoped);
  Vertex head{action.to,
              static_cast<std::int32_t>(from),
              tail.first,
              static_cast<std::int32_t>(Rounding::multiple(robust, grid.loss_step)),
              static_cast<std::int32_t>(Rounding::multiple(time, grid.time_step)),
              static_cast<std::int32_t>(Rounding::multiple(expected, grid.loss_step)),
              tail.energy + action.energy};
  if (is_hopeless(action.to, epoch, head)) return;
  const std::size_t at = vertex_at(head, next_layer);
  Vertex& known = vertices_[at];
  if (known.parent >= 0 && !is_better(head, known)) return;
  const bool is_new = known.parent < 0;
  if (head.first < 0) head.first = static_cast<std::int32_t>(at);
  known = head;
  const Loss reached{grid.loss_step * head.loss};
  if (is_new && problem_.goal().reached(reached, Seconds{grid.time_step * head.time}))
    goals_.push_back(at);
}

// Of equally cheap ways to a vertex, the one whose last vertex comes first by placement, loss and
// time.
bool PactGraph::is_better(const Vertex& one, const Vertex& other) const {
  if (std::abs(one.energy - other.energy) > kSameEnergy * other.energy) {
    return one.energy < other.energy;
  }
  const auto key = [&](const Vertex& vertex) {
    const Vertex& before = vertices_[static_cast<std::size_t>(vertex.parent)];
    return std::tuple(before.placement, before.loss, before.time);
  };
  return key(one) < key(other);
}

bool PactGraph::is_hopeless(std::int32_t placement, int epoch, const Vertex& vertex) const {
  const double time = options_.rounding.time_step * vertex.time;
  const double deadline = problem_.goal().time_bound().value;
  if (time > deadline || vertex.energy > weight_limit_) return true;
  const NodeIndex node = graph_.node_of(id(placement), epoch);
  const double loss = options_.rounding.loss_step * vertex.loss;
  return time + time_front_.bound(node, loss) > deadline ||
         vertex.energy + energy_front_.bound(node, loss) > weight_limit_;
}

// The vertex of the same state in the layer being made; a new one has no parent yet.
std::size_t PactGraph::vertex_at(const Vertex& vertex, std::size_t layer_begin) {
  if ((vertices_.size() - layer_begin) * 2 >= table_.size()) rehash(layer_begin, table_.size() * 2);
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash_of(vertex.placement, vertex.loss, vertex.time) & mask;
  for (; table_[slot] >= 0; slot = (slot + 1) & mask) {
    const Vertex& known = vertices_[static_cast<std::size_t>(table_[slot])];
    if (known.placement == vertex.placement && known.loss == vertex.loss &&
        known.time == vertex.time) {
      return static_cast<std::size_t>(table_[slot]);
    }
  }
  table_[slot] = static_cast<std::int32_t>(vertices_.size());
  vertices_.push_back(vertex);
  vertices_.back().parent = -1;
  return vertices_.size() - 1;
}

void PactGraph::rehash(std::size_t layer_begin, std::size_t slots) {
  table_.assign(slots, -1);
  for (std::size_t v = layer_begin; v < vertices_.size(); ++v) {
    std::size_t slot =
        hash_of(vertices_[v].placement, vertices_[v].loss, vertices_[v].time) & (slots - 1);
    while (table_[slot] >= 0) slot = (slot + 1) & (slots - 1);
    table_[slot] = static_cast<std::int32_t>(v);
  }
}

double PactGraph::opportunity(const Vertex& end) const {
  const std::int32_t robust = vertices_.front().loss - end.loss;
  const std::int32_t expected = vertices_.front().loss - end.expected_loss;
  return robust > 0 ? std::max(1.0, static_cast<double>(expected) / robust) : 1;
}

PactGraph::Choice PactGraph::score(std::size_t goal, const State& now) {
  const Vertex& end = vertices_[goal];
  const PlacementId first = id(vertices_[static_cast<std::size_t>(end.first)].placement);
  Choice choice;
  choice.weight = end.energy;
  choice.opportunity = opportunity(end);
  const double back = way_back(first, now);
  choice.risk = back < kInfinite ? std::max(1.0, end.energy > 0 ? back / end.energy : 1)
                                 : options_.irreversible_risk;
  choice.score = choice.weight * choice.risk / choice.opportunity;
  return choice;
}

// Ties: lower energy, time, loss, then the order of the first placement in the file.
std::optional<PactGraph::Choice> PactGraph::best_choice(const State& now) {
  using Key = std::tuple<double, double, std::int32_t, std::int32_t, std::int32_t>;
  std::optional<Choice> best;
  Key best_key;
  std::size_t best_goal = 0;
  for (const std::size_t goal : goals_) {
    const Choice choice = score(goal, now);
    const Vertex& end = vertices_[goal];
    const Key key{choice.score, choice.weight, end.time, end.loss,
                  vertices_[static_cast<std::size_t>(end.first)].placement};
    if (best && !(key < best_key)) continue;
    best = choice;
    best_key = key;
    best_goal = goal;
  }
  if (!best) return best;
  for (auto v = static_cast<std::int32_t>(best_goal); v > 0;
       v = vertices_[static_cast<std::size_t>(v)].parent) {
    best->path.push_back(id(vertices_[static_cast<std::size_t>(v)].placement));
  }
  std::reverse(best->path.begin(), best->path.end());
  return best;
}

}  // namespace espalier
