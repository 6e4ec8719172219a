// SPDX-License-Identifier: Apache-2.0
// What really happens: the true rules, and one draw of the luck around them.
#pragma once

#include <cstdint>
#include <optional>

#include "core/problem.h"
#include "realisations/luck.h"

namespace espalier {

// Whether any placement or change of `problem` has noise.
bool has_noise(const Problem& problem);

// One true world. The luck of epoch k depends on the seed, the run and k alone, never on what was
// decided before: strategies that are compared meet the same luck. Immutable.
class Truth {
 public:
  // `actual` is Problem::actual(…) and must outlive this.
  Truth(const Problem& actual, std::uint64_t seed, std::uint64_t run, const LuckKnown& known = {})
      : actual_(&actual), draws_(seed, run, known) {}

  // One epoch at `to`: the change, then the epoch. Nothing if the scenario does not allow it.
  std::optional<State> advance(const State& from, PlacementId to) const;

  // The loss between the two. Nothing if the scenario does not allow it.
  std::optional<Loss> arrival(const State& from, PlacementId to) const;

  // A: normal, the share of luck that the whole run has in common.
  double luck_of_run() const { return draws_.of_run(); }

  const Problem& problem() const { return *actual_; }

 private:
  const Problem* actual_;
  RunDraws draws_;
};

}  // namespace espalier
