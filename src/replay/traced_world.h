// SPDX-License-Identifier: Apache-2.0
// A scenario in a world that is known from traces: which of its placements and changes were
// traced, and how a course goes there. Losses come from the traces; times and energies from the
// scenario, as ever.
//
// A placement is known by the name of its node set and by its model's share of pruned channels.
// Levels make no difference to what is learned.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/problem.h"
#include "core/scenario.h"
#include "replay/replay.h"
#include "simulation/reality.h"

namespace espalier {

// Immutable.
class TracedWorld {
 public:
  // `problem` is of `scenario`. Throws Error{BadInput} that begins with `file`: no run begins like
  // the scenario; it has data options, of which traces know nothing; `rows` are no good.
  TracedWorld(const Scenario& scenario, const Problem& problem, const std::vector<TraceRow>& rows,
              const std::string& file);

  // `problem`, of the same scenario, without the changes that were never traced, or not after all
  // courses that may lead to them.
  Problem within(const Problem& problem) const;

  // The longest stage that was traced at each placement of `problem`, in epochs: what later ones
  // would teach nobody knows. 0 where none was.
  std::vector<int> longest_stays(const Problem& problem) const;

  // Run number `run` is that of seed number `run` mod so many.
  std::size_t seed_count() const { return roots_.size(); }
  std::uint64_t seed_of(std::size_t run) const { return begin(run).seed(); }
  // The fresh network of a run. Borrows this.
  Replay begin(std::size_t run) const { return {tree_, roots_[run % roots_.size()]}; }

  // Nothing if it was not traced.
  std::optional<TracedPlaceId> place_of(const Placement& at) const;

  // Goes there, unless it is there. False, and nothing done, if that was never traced.
  bool change(Replay& replay, const Placement& to) const;

  // What people should know: seeds and changes that are left out.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  // Of models and node sets alone.
  struct Move {
    Placement from{};
    Placement to{};
    friend auto operator<=>(const Move&, const Move&) = default;
  };

  // Where a run is, and by what places it came.
  struct Course {
    PlacementId at{};
    TracedPath path{};
    friend auto operator<=>(const Course&, const Course&) = default;
  };

  void match(const Scenario& scenario);
  void choose_seeds(const Problem& problem, const std::string& file);
  void choose_moves(const Problem& problem);
  std::optional<Course> extended(Course course, PlacementId to,
                                 const std::optional<TracedPlaceId>& place) const;
  void drop_moves(const Problem& problem, const std::set<Move>& untraced);
  [[noreturn]] void refuse_start(const Problem& problem, const std::string& file) const;

  TraceTree tree_;
  std::vector<std::optional<TracedPlaceId>> places_;  // model × node set
  std::vector<std::string> node_set_names_;
  std::vector<TracedStageId> roots_;  // one for each seed that counts
  std::vector<TracedPath> paths_;     // from each of them, sorted
  std::set<Move> moves_;
  std::vector<std::string> notes_;
};

// Runs against it. Both must outlive it; `problem` says what epochs and changes cost.
MakeReality reality_of(const TracedWorld& world, const Problem& problem);

}  // namespace espalier
