// SPDX-License-Identifier: Apache-2.0
// Algorithm 1 of the PACT paper: the expanded graph, all of it.
#pragma once

#include <cstdint>

#include <boost/graph/adjacency_list.hpp>

#include "core/problem.h"
#include "literal_pact.h"

namespace espalier::bench {

// A state on the grid: the loss is loss_index·γ_ℓ, the time time_index·γ_T.
struct GridState {
  int epoch = 0;  // since the graph's first layer
  PlacementId placement{};
  int loss_index = 0;
  int time_index = 0;
};

// Numbers all states, by epoch first, then Ω. Immutable.
class Grid {
 public:
  using Vertex = std::size_t;

  // `problem` must outlive it.
  Grid(const Problem& problem, const State& now, const LiteralOptions& options);

  std::int64_t vertex_count() const;
  Vertex omega() const { return static_cast<Vertex>(vertex_count() - 1); }
  Vertex current() const { return vertex_of(start_); }
  Vertex vertex_of(const GridState& grid) const;
  GridState state_of(Vertex v) const;
  PlacementId placement_of(Vertex v) const { return state_of(v).placement; }
  // A state rounded up onto the grid; it may lie outside of it.
  GridState rounded_up(const State& state) const;
  bool contains(const GridState& grid) const;
  // In physical units; the energy is 0.
  State physical(const GridState& grid) const;
  bool is_goal(Vertex v) const;
  const LiteralOptions& options() const { return options_; }

 private:
  const Problem& problem_;
  const LiteralOptions options_;
  const int first_epoch_;
  const GridState start_;
  int layers_ = 0;
  int losses_ = 0;
  int times_ = 0;
};

// Every edge but those to Ω leads to a higher epoch, hence to a higher number. Immutable.
class ExpandedGraph {
 public:
  using Graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                            boost::property<boost::edge_weight_t, double>>;

  ExpandedGraph(const Problem& problem, const Grid& grid);

  const Graph& graph() const { return graph_; }
  std::int64_t edge_count() const { return edges_; }

 private:
  void add_edges(const Problem& problem, const Grid& grid, Grid::Vertex v);

  Graph graph_;
  std::int64_t edges_ = 0;
};

}  // namespace espalier::bench
