// SPDX-License-Identifier: Apache-2.0
#include "expanded_graph.h"

#include <algorithm>
#include <cmath>

#include "core/plan.h"

namespace espalier::bench {
namespace {

// Up to the next multiple; a value that misses one by rounding alone stays on it.
int steps_up(double value, double step) {
  return std::max(0, static_cast<int>(std::ceil(value / step - 1e-9)));
}

// The largest index whose multiple is still within the bound.
int steps_within(double bound, double step) {
  int index = static_cast<int>(bound / step) + 1;
  while (index > 0 && index * step > bound) --index;
  return index;
}

}  // namespace

Grid::Grid(const Problem& problem, const State& now, const LiteralOptions& options)
    : problem_(problem), options_(options), first_epoch_(now.epoch), start_(rounded_up(now)) {
  const int last = steps_within(problem.goal().time_bound().value, options.time_step.value);
  times_ = std::max(start_.time_index, last) + 1;
  losses_ = std::max(start_.loss_index, steps_up(problem.ceiling(), options.loss_step.value)) + 1;
  layers_ = times_ - start_.time_index;  // every epoch takes at least one step of time
}

std::int64_t Grid::vertex_count() const {
  return static_cast<std::int64_t>(layers_) * static_cast<std::int64_t>(problem_.size()) * losses_ *
             times_ +
         1;
}

Grid::Vertex Grid::vertex_of(const GridState& grid) const {
  const auto losses = static_cast<std::size_t>(losses_);
  const auto times = static_cast<std::size_t>(times_);
  const std::size_t place =
      static_cast<std::size_t>(grid.epoch) * problem_.size() + grid.placement.pos();
  return (place * losses + static_cast<std::size_t>(grid.loss_index)) * times +
         static_cast<std::size_t>(grid.time_index);
}

GridState Grid::state_of(Vertex v) const {
  const auto losses = static_cast<std::size_t>(losses_);
  const auto times = static_cast<std::size_t>(times_);
  const std::size_t place = v / times / losses;
  return {static_cast<int>(place / problem_.size()),
          {static_cast<std::int32_t>(place % problem_.size())},
          static_cast<int>(v / times % losses),
          static_cast<int>(v % times)};
}

GridState Grid::rounded_up(const State& state) const {
  return {state.epoch - first_epoch_, state.placement,
          steps_up(state.loss.value, options_.loss_step.value),
          steps_up(state.time.value, options_.time_step.value)};
}

bool Grid::contains(const GridState& grid) const {
  return grid.epoch < layers_ && grid.loss_index < losses_ && grid.time_index < times_;
}

State Grid::physical(const GridState& grid) const {
  return {grid.placement, first_epoch_ + grid.epoch, options_.loss_step * grid.loss_index,
          options_.time_step * grid.time_index, Joules{0}};
}

bool Grid::is_goal(Vertex v) const {
  const State state = physical(state_of(v));
  return problem_.goal().reached(state.loss, state.time);
}

ExpandedGraph::ExpandedGraph(const Problem& problem, const Grid& grid)
    : graph_(static_cast<std::size_t>(grid.vertex_count())) {
  for (Grid::Vertex v = 0; v < grid.omega(); ++v) add_edges(problem, grid, v);
}

void ExpandedGraph::add_edges(const Problem& problem, const Grid& grid, Grid::Vertex v) {
  const State from = grid.physical(grid.state_of(v));
  for (std::size_t p = 0; p < problem.size(); ++p) {
    const PlacementId action{static_cast<std::int32_t>(p)};
    const auto next = advance(problem, grid.options().estimator, from, action);
    if (!next) continue;
    const GridState to = grid.rounded_up(*next);
    if (!grid.contains(to)) continue;
    add_edge(v, grid.vertex_of(to), next->energy.value, graph_);
    ++edges_;
  }
  if (!grid.is_goal(v)) return;
  add_edge(v, grid.omega(), 0.0, graph_);
  ++edges_;
}

}  // namespace espalier::bench
