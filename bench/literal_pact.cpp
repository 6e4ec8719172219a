// SPDX-License-Identifier: Apache-2.0
// Algorithms 2 and 3. The risk of a path depends on its first step only and is computed once for
// each.
#include "literal_pact.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <boost/graph/dijkstra_shortest_paths.hpp>

#include "core/infinite.h"
#include "core/plan.h"
#include "expanded_graph.h"

namespace espalier::bench {
namespace {

using Graph = ExpandedGraph::Graph;
using Vertex = Grid::Vertex;
constexpr Vertex kNowhere = std::numeric_limits<Vertex>::max();

struct Found {};

// Ends a run of Dijkstra's algorithm, by exception as Boost advises, when it settles its target.
class StopAt : public boost::default_dijkstra_visitor {
 public:
  explicit StopAt(Vertex target) : target_(target) {}
  void examine_vertex(Vertex v, const Graph&) const {
    if (v == target_) throw Found{};
  }

 private:
  Vertex target_;
};

struct Tree {
  std::vector<double> distance;
  std::vector<Vertex> previous;
};

// A path and what decides between paths of equal score.
struct Candidate {
  LiteralPath path;
  double time = 0;
  double loss = 0;

  std::tuple<double, double, double, double> key() const {
    return {path.score, path.weight, time, loss};
  }
};

class Decider {
 public:
  Decider(const Problem& problem, const State& now, const LiteralOptions& options)
      : problem_(problem),
        options_(options),
        grid_(problem, now, options),
        expanded_(problem, grid_) {
    decision_.vertices = grid_.vertex_count();
    decision_.edges = expanded_.edge_count();
    decision_.by_action.resize(problem.size());
  }

  LiteralDecision run() {
    measure_to_omega();
    if (options_.search == PathSearch::Single) {
      search(grid_.current(), kNowhere, tree_);
      settle_ties(tree_);
    }
    for (Vertex v = 0; v < grid_.omega(); ++v) {
      if (v != grid_.current() && grid_.is_goal(v)) consider(v);
    }
    choose();
    return std::move(decision_);
  }

 private:
  // Distances up to that of `target`; all of them if it is kNowhere.
  void search(Vertex source, Vertex target, Tree& tree) const {
    const Graph& g = expanded_.graph();
    tree.distance.resize(num_vertices(g));
    tree.previous.resize(num_vertices(g));
    try {
      boost::dijkstra_shortest_paths(g, source,
                                     boost::distance_map(tree.distance.data())
                                         .predecessor_map(tree.previous.data())
                                         .distance_inf(kInfinite)
                                         .visitor(StopAt(target)));
    } catch (const Found&) {
    }
  }

  // Sums of the same numbers in another order differ by rounding alone.
  void settle_ties(Tree& tree) const {
    const Graph& g = expanded_.graph();
    for (Vertex v = 0; v < grid_.omega(); ++v) {
      if (tree.distance[v] == kInfinite) continue;
      for (auto [e, end] = out_edges(v, g); e != end; ++e) {
        const Vertex next = target(*e, g);
        const double way = tree.distance[v] + get(boost::edge_weight, g, *e);
        if (way <= tree.distance[next] * (1 + 1e-12))
          tree.previous[next] = std::min(tree.previous[next], v);
      }
    }
  }

  // Edges lead to higher numbers, so one sweep downwards finds the cheapest way to Ω from
  // everywhere.
  void measure_to_omega() {
    const Graph& g = expanded_.graph();
    to_omega_.assign(num_vertices(g), kInfinite);
    to_omega_[grid_.omega()] = 0;
    for (Vertex v = grid_.omega(); v-- > 0;) {
      for (auto [e, end] = out_edges(v, g); e != end; ++e) {
        to_omega_[v] =
            std::min(to_omega_[v], get(boost::edge_weight, g, *e) + to_omega_[target(*e, g)]);
      }
    }
  }

  void consider(Vertex goal) {
    const bool is_own_search = options_.search == PathSearch::PerGoal;
    if (is_own_search) search(grid_.current(), goal, tree_);
    if (tree_.distance[goal] == kInfinite) return;
    if (is_own_search) settle_ties(tree_);
    ++decision_.paths;
    const Candidate candidate = score(goal);
    auto& best = candidates_[candidate.path.placements.front()];
    if (!best || candidate.key() < best->key()) best = candidate;
  }

  Candidate score(Vertex goal) {
    std::vector<Vertex> vertices{goal};
    while (vertices.back() != grid_.current()) vertices.push_back(tree_.previous[vertices.back()]);
    std::ranges::reverse(vertices);
    const State end = grid_.physical(grid_.state_of(goal));
    Candidate candidate{.path = {}, .time = end.time.value, .loss = end.loss.value};
    LiteralPath& path = candidate.path;
    for (std::size_t i = 1; i < vertices.size(); ++i)
      path.placements.push_back(grid_.placement_of(vertices[i]));
    path.weight = tree_.distance[goal];
    path.opportunity = opportunity(vertices);
    const double way_back = tree_.distance[vertices[1]] + through_current_model(vertices[1]);
    path.risk = way_back == kInfinite ? 1 : std::max(1.0, way_back / path.weight);
    path.score = path.weight * path.risk / path.opportunity;
    return candidate;
  }

  // A path's expected evolution begins where the path does and makes the same steps.
  double opportunity(const std::vector<Vertex>& vertices) const {
    const double begin = loss_at(vertices.front());
    State hoped = grid_.physical(grid_.state_of(vertices.front()));
    for (std::size_t i = 1; i < vertices.size(); ++i) {
      const PlacementId to = grid_.placement_of(vertices[i]);
      hoped = grid_.physical(grid_.rounded_up(*advance(problem_, Estimator::Expected, hoped, to)));
    }
    const double robust = begin - loss_at(vertices.back());
    return robust > 0 ? std::max(1.0, (begin - hoped.loss.value) / robust) : 1;
  }

  double loss_at(Vertex v) const { return grid_.physical(grid_.state_of(v)).loss.value; }

  // The cheapest way from `first` to Ω that meets the current model, infinite if there is none.
  double through_current_model(Vertex first) {
    const auto known = way_back_.find(first);
    if (known != way_back_.end()) return known->second;
    Tree tree;
    search(first, kNowhere, tree);
    const ModelId model = model_of(grid_.current());
    double least = kInfinite;
    for (Vertex v = 0; v < grid_.omega(); ++v) {
      const double way = tree.distance[v] + to_omega_[v];
      if (way < least && model_of(v) == model) least = way;
    }
    return way_back_[first] = least;
  }

  ModelId model_of(Vertex v) const { return problem_.training(grid_.placement_of(v)).at.model; }

  // Among equals the placement that comes first in the file.
  void choose() {
    const Candidate* best = nullptr;
    for (const auto& [action, candidate] : candidates_) {
      decision_.by_action[action.pos()] = candidate->path;
      if (!best || candidate->key() < best->key()) best = &*candidate;
    }
    if (best) decision_.best = best->path;
  }

  const Problem& problem_;
  const LiteralOptions options_;
  const Grid grid_;
  const ExpandedGraph expanded_;
  Tree tree_;
  std::vector<double> to_omega_;
  std::map<Vertex, double> way_back_;
  std::map<PlacementId, std::optional<Candidate>> candidates_;
  LiteralDecision decision_;
};

}  // namespace

LiteralDecision decide_literally(const Problem& problem, const State& now,
                                 const LiteralOptions& options) {
  return Decider(problem, now, options).run();
}

std::int64_t literal_vertices(const Problem& problem, const State& now,
                              const LiteralOptions& options) {
  return Grid(problem, now, options).vertex_count();
}

}  // namespace espalier::bench
