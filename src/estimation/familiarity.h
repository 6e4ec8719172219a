// SPDX-License-Identifier: Apache-2.0
// What was seen while fitting, so that forecasts of anything else say so by wider ranges.
//
// Calibration holds for runs like those that were seen. Outside, nothing is known of an estimator's
// mistakes but that they grow; so ranges grow with the distance to the nearest that was seen: they
// are twice as wide where a pruned share is off by 0.25, samples or classes by a factor of 4, or
// a stage is twice as long as the longest one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/trace_stories.h"

namespace espalier {

struct Familiarity {
  // Ascending, each once, at most kMostSeen of each.
  std::vector<double> prunes{};
  std::vector<double> samples{};
  std::vector<double> classes{};
  int longest_stage = 0;  // epochs
  friend bool operator==(const Familiarity&, const Familiarity&) = default;
};

inline constexpr std::size_t kMostSeen = 256;

Familiarity familiar_with(std::span<const RunStory> stories);

// How many times as wide a range is to be, so many epochs into a stage. At least 1; 1 where nothing
// is known of what was seen.
double strangeness(const Familiarity& seen, const Conditions& now, std::size_t epochs);
// The same for a network that is pruned to such a share.
double strangeness_of_pruning(const Familiarity& seen, double prune);

}  // namespace espalier
