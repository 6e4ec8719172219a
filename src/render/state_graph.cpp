// SPDX-License-Identifier: Apache-2.0
#include "render/state_graph.h"

#include <cmath>
#include <map>
#include <tuple>

#include "core/error.h"

namespace espalier {
namespace {

// Exact multiples stay where they are.
double rounded_to(double value, double step) {
  return step > 0 ? step * std::ceil(value / step - 1e-9) : value;
}

using Key = std::tuple<int, std::int32_t, double, double>;

Key key_of(const State& s) { return {s.epoch, s.placement.index, s.loss.value, s.time.value}; }

class Explorer {
 public:
  Explorer(const Problem& problem, Estimator estimator, const StateGraphOptions& options)
      : problem_(problem), estimator_(estimator), options_(options) {}

  std::optional<StateGraph> explore() {
    add(problem_.start());
    for (std::size_t i = 0; i < graph_.states.size(); ++i) {
      if (!graph_.states[i].goal) extend(i);
      if (graph_.states.size() > options_.max_states) return std::nullopt;
    }
    return std::move(graph_);
  }

 private:
  void extend(std::size_t from) {
    for (std::size_t p = 0; p < problem_.size(); ++p) {
      const State before = graph_.states[from].state;
      auto after = advance(problem_, estimator_, before, {static_cast<std::int32_t>(p)});
      if (!after) continue;
      after->loss.value = rounded_to(after->loss.value, options_.loss_step.value);
      after->time.value = rounded_to(after->time.value, options_.time_step.value);
      if (after->time > problem_.goal().time_bound()) continue;
      const std::size_t to = add(*after);
      graph_.arcs.push_back({from, to, after->energy - before.energy, false});
    }
  }

  std::size_t add(const State& state) {
    const auto [place, is_new] = index_.try_emplace(key_of(state), graph_.states.size());
    if (is_new)
      graph_.states.push_back({state, problem_.goal().reached(state.loss, state.time), false});
    State& kept = graph_.states[place->second].state;
    kept.energy = std::min(kept.energy, state.energy);
    return place->second;
  }

  const Problem& problem_;
  Estimator estimator_;
  const StateGraphOptions& options_;
  StateGraph graph_;
  std::map<Key, std::size_t> index_;
};

GraphArc* arc_to(StateGraph& graph, std::size_t from, PlacementId placement) {
  for (GraphArc& arc : graph.arcs) {
    if (arc.from == from && graph.states[arc.to].state.placement == placement) return &arc;
  }
  return nullptr;
}

void mark(StateGraph& graph, const Plan& plan) {
  std::size_t at = 0;
  graph.states[at].chosen = true;
  for (const Step& step : plan.steps) {
    GraphArc* arc = arc_to(graph, at, step.placement);
    if (!arc) return;
    arc->chosen = true;
    at = arc->to;
    graph.states[at].chosen = true;
  }
}

}  // namespace

std::optional<StateGraph> explore_if_small(const Problem& problem, Estimator estimator,
                                           const Plan* plan, const StateGraphOptions& options) {
  auto graph = Explorer(problem, estimator, options).explore();
  if (graph && plan) mark(*graph, *plan);
  return graph;
}

StateGraph explore(const Problem& problem, Estimator estimator, const Plan* plan,
                   const StateGraphOptions& options) {
  auto graph = explore_if_small(problem, estimator, plan, options);
  if (graph) return *std::move(graph);
  throw Error(
      ErrorCode::BadInput,
      "the graph has more than " + std::to_string(options.max_states) + " states, too many to draw",
      "give --loss-step and --time-step, or a goal that is nearer");
}

}  // namespace espalier
