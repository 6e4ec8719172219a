// SPDX-License-Identifier: Apache-2.0
// PACT's expanded graph and the choice among its paths (algorithms 1 to 3 of the paper).
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/problem.h"
#include "search/cost_front.h"
#include "search/rounding.h"
#include "search/search_graph.h"

namespace espalier {

// Vertices are (epoch, placement, loss, time), loss and time on the grid. For each vertex that
// meets the goal there is a cheapest path to it; the paths compete by score = weight · risk /
// opportunity.
//
// Idea.      Only vertices reachable from the current state exist, layer by layer, each with its
// cheapest way back.
//            A vertex is left out if no path through it can have the best score: its weight at
//            least, divided by the highest opportunity that any path can have, is above the score
//            of a path already known. So the decision is the same as on the full graph.
// Complexity. O(vertices · placements), vertices bounded by the grid.
class PactGraph {
 public:
  struct Options {
    Estimator estimator = Estimator::Robust;
    Rounding rounding;
    bool weighs_risk = true;
    double irreversible_risk = 1;
    std::int64_t max_vertices = 0;
  };
  struct Choice {
    std::vector<PlacementId> path;
    double score = 0;
    double weight = 0;
    double opportunity = 1;
    double risk = 1;
  };
  struct Outcome {
    std::optional<Choice> choice;  // none: no goal vertex can be reached on this grid
    bool complete = true;          // false: too many vertices, or stopped
    std::int64_t vertices = 0;
    std::int64_t bytes = 0;
  };

  // Fronts for time and for energy of `graph`, which must have been made for the same estimate.
  PactGraph(const SearchGraph& graph, CostFront& time_front, CostFront& energy_front,
            const Options& options);

  Outcome choose(const State& now, std::stop_token stop);
  // Whether the grid has a path to the goal at all; much cheaper than choosing one.
  bool has_path(const State& now, std::stop_token stop);

 private:
  struct Vertex {
    std::int32_t placement;
    std::int32_t parent;
    std::int32_t first;  // the vertex after the path's first step
    std::int32_t loss;   // in steps
    std::int32_t time;
    std::int32_t expected_loss;  // had all steps of the cheapest path gone as expected, in steps
    double energy;
  };
  struct Action {
    std::int32_t to;
    double energy;
    double time;
    Estimated<Jump> jump;
  };

  void prepare(const State& now);
  double weight_limit(const State& now);
  std::vector<PlacementId> cheapest_path(const SearchGraph& graph, CostFront& time,
                                         CostFront& energy, const State& from);
  double way_back(PlacementId first, const State& now);
  State on_grid(const State& state) const;
  void expand(std::size_t index, int epoch, std::size_t next_layer);
  void relax(std::size_t from, const Action& action, int epoch, std::size_t next_layer);
  bool is_better(const Vertex& one, const Vertex& other) const;
  bool is_hopeless(std::int32_t placement, int epoch, const Vertex& vertex) const;
  std::size_t vertex_at(const Vertex& vertex, std::size_t layer_begin);
  void rehash(std::size_t layer_begin, std::size_t slots);
  std::optional<Choice> best_choice(const State& now);
  double opportunity(const Vertex& end) const;
  Choice score(std::size_t goal, const State& now);

  const SearchGraph& graph_;
  const Problem& problem_;
  CostFront& time_front_;
  CostFront& energy_front_;
  Options options_;
  std::vector<std::vector<Action>> actions_;  // by placement, in file order

  // Of the current call.
  std::stop_token stop_;
  bool is_cut_ = false;
  double weight_limit_ = 0;  // paths of more weight cannot have the best score
  std::vector<Vertex> vertices_;
  std::vector<std::size_t> goals_;
  std::vector<std::optional<double>> way_back_;  // by placement of the first step, once known
  std::vector<std::int32_t> table_;  // open addressing over the vertices of the layer being made
};

}  // namespace espalier
