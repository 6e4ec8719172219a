// SPDX-License-Identifier: Apache-2.0
// The id of a run is its place in the tree of experiments:
//
//   1/gold                               seed 1, a fresh network on gold
//   1/gold/5x0.5                         after 5 epochs of that, a share of 0.5 was pruned
//   1/gold/5x0.5/silver                  and handed over to silver
//   1/gold/5x0.5/silver/15x0.25/bronze   and so on, after 15 epochs on silver
//
// So an id alone tells what has to be done, and the same work has the same id whatever else is in
// the grid.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// What a run begins from: another run, after so many of its steps.
struct RunOrigin {
  std::string run;
  int steps = 0;
  friend bool operator==(const RunOrigin&, const RunOrigin&) = default;
};

// What an id says.
struct RunPlace {
  std::uint64_t seed = 0;
  std::string nodes;                // who trains, or prunes
  int epochs_before = 0;            // since the fresh network
  double prune = 0;                 // share of the full network's channels gone, during the run
  std::optional<double> ratio;      // of a pruning: the share of what was left
  std::optional<RunOrigin> origin;  // nothing: a fresh network
  std::string nodes_before;         // of the origin; empty for a fresh network
};

std::string first_run_id(std::uint64_t seed, std::string_view nodes);
std::string pruned_run_id(std::string_view run, int epochs, double ratio);
std::string handed_over_run_id(std::string_view pruned_run, std::string_view nodes);

// Nothing if it is no id of this kind. The inverse of the above.
std::optional<RunPlace> place_of(std::string_view run);

// The runs that lead to `run`, itself last, each with the steps of it that count; for `run` itself
// these are `steps`. REQUIRES: place_of(run).
std::vector<RunOrigin> lineage_of(const std::string& run, int steps);

}  // namespace espalier
