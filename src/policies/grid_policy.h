// SPDX-License-Identifier: Apache-2.0
// What to do next, looked up in a grid.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "policies/move_shortlist.h"
#include "policies/policy_map.h"
#include "policies/policy_sweep.h"

namespace espalier {

// Problem.    The luck A of a run is hidden; the values are for known A.
// Idea.       Take the mean of the values over what is believed about A. This decides as if A were
//             revealed after the next epoch: what has been observed counts in full, but no epoch is
//             chosen for what it would teach. (QMDP: Littman, Cassandra, Kaelbling 1995.)
// Complexity. O(targets) for each decision. Immutable.
class GridPolicy {
 public:
  GridPolicy(std::shared_ptr<const PolicyMap> map, double miss, PolicyValues values)
      : map_(std::move(map)), miss_(miss), values_(std::move(values)), shortlist_(*map_, values_) {}

  // Where the next epoch should train; nothing: give up, since going on would cost more than a miss
  // does. REQUIRES: `now` is not at the goal.
  std::optional<PlacementId> choose(const State& now, const RunBelief& belief) const;
  // The same where A is as at one of the map's nodes.
  std::optional<PlacementId> choose(const State& now, std::size_t luck_node) const;

  const PolicyMap& map() const { return *map_; }
  double miss() const { return miss_; }
  std::int64_t bytes() const;

  // Between two policies on the same map, at `share` of the way to `b`: values are concave in the
  // price of a miss and nearly linear over short ways.
  static GridPolicy between(const GridPolicy& a, const GridPolicy& b, double share);

 private:
  std::optional<PlacementId> best(const State& now, const LuckValues& weights) const;
  // Of beginning an epoch at a target; the time in steps.
  double value(std::size_t target, double time, std::span<const JumpLanding> landings,
               const LuckValues& weights) const;

  std::shared_ptr<const PolicyMap> map_;
  double miss_;
  PolicyValues values_;
  MoveShortlist shortlist_;
};

}  // namespace espalier
