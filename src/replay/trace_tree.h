// SPDX-License-Identifier: Apache-2.0
// Traces as trees, one for each seed: a stage is a network on one node set until it was changed,
// and what grew from it after how many epochs. Runs that begin alike share their beginning, whether
// their ids say so (experiments/run_id.h) or each of them was told from its start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/trace.h"

namespace espalier {

// Who trains, and how much of the full network's channels is gone.
struct TracedPlace {
  std::string nodes{};
  double prune = 0;
};
using TracedPlaceId = Id<struct TracedPlaceThing>;
using TracedStageId = Id<struct TracedStageThing>;

// After so many epochs of a stage, another one began.
struct TracedTurn {
  TracedPlaceId to{};
  int after = 0;
  TracedStageId stage{};
};

struct TracedStage {
  TracedPlaceId place{};
  std::uint64_t seed = 0;
  std::optional<TracedStageId> before{};  // it grew from
  // On arrival, then after each epoch. Empty where only later stages were traced.
  std::vector<double> losses{};
  std::vector<TracedTurn> turns{};  // by place, then by epochs

  int epochs() const { return static_cast<int>(losses.size()) - 1; }
  // Past the end nothing more is learned. REQUIRES: there are losses.
  double loss_after(int epochs) const;
};

// Places that lead to a stage, itself last.
using TracedPath = std::vector<TracedPlaceId>;

// Immutable.
class TraceTree {
 public:
  // The order of the rows does not matter. Losses that are no numbers are skipped, and up to 100
  // missing epochs of a stage bridged by a straight line. A stage whose first loss is missing
  // begins with its second. Throws Error{BadInput}, beginning with `file`: no rows, longer gaps,
  // runs that contradict each other, far too much.
  TraceTree(const std::vector<TraceRow>& rows, const std::string& file);

  const std::vector<TracedPlace>& places() const { return places_; }
  const std::vector<TracedStage>& stages() const { return stages_; }
  const TracedStage& stage(TracedStageId id) const { return stages_[id.pos()]; }

  // Ratios are equal up to 1e-6.
  std::optional<TracedPlaceId> place(std::string_view nodes, double prune) const;
  // For messages: "gold with 0 pruned, silver with 0.5 pruned", and who was perhaps meant.
  std::string places_listed() const;
  std::string did_you_mean_nodes(const std::string& nodes) const;
  // In increasing order.
  const std::vector<std::uint64_t>& seeds() const { return seeds_; }
  // Where the runs of a seed begin at a place, if any of them does.
  std::optional<TracedStageId> root(std::uint64_t seed, TracedPlaceId at) const;
  // Every path that was traced from `root` on, once, sorted.
  std::vector<TracedPath> paths_from(TracedStageId root) const;

 private:
  friend class TraceTreeBuilder;

  std::vector<TracedPlace> places_;
  std::vector<TracedStage> stages_;
  std::vector<TracedStageId> roots_;
  std::vector<std::uint64_t> seeds_;
};

}  // namespace espalier
