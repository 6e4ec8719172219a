// SPDX-License-Identifier: Apache-2.0
// The algorithms 1 to 3 of the PACT paper as they are printed, on Boost.Graph: every vertex of the
// expanded graph exists, reachable or not. What the paper leaves open is decided as in the
// specification.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/problem.h"

namespace espalier::bench {

enum class PathSearch {
  PerGoal,  // algorithm 2: one run of Dijkstra's algorithm for each goal vertex
  Single,   // kinder: one run for all of them
};

struct LiteralOptions {
  Loss loss_step{0.01};
  Seconds time_step{1};
  PathSearch search = PathSearch::Single;
  // The estimate the graph is built on.
  Estimator estimator = Estimator::Robust;
};

struct LiteralPath {
  std::vector<PlacementId> placements;
  double score = std::numeric_limits<double>::infinity();
  double weight = 0;
  double opportunity = 1;
  double risk = 1;
};

struct LiteralDecision {
  std::optional<LiteralPath> best;  // absent: no goal vertex can be reached
  std::vector<std::optional<LiteralPath>>
      by_action;  // the best path that begins with each placement
  std::int64_t vertices = 0;
  std::int64_t edges = 0;
  std::int64_t paths = 0;
};

LiteralDecision decide_literally(const Problem& problem, const State& now,
                                 const LiteralOptions& options);

// How many vertices the graph would have.
std::int64_t literal_vertices(const Problem& problem, const State& now,
                              const LiteralOptions& options);

}  // namespace espalier::bench
