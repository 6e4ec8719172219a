// SPDX-License-Identifier: Apache-2.0
// What the run at hand teaches about forecasts of it: whether its loss falls faster or slower than
// was forecast, and whether ranges are too narrow or too wide for it.
//
// Each earlier forecast of the run is compared with what came. All runs that were calibrated with
// taught what is usual; so a run is believed to be unusual only as far as its own record outweighs
// the usual one, which counts as so many forecasts (UsualCounts). How many is chosen where the
// estimators are fitted, by what would have been best for the runs that judged. What was compared
// are forecasts of the next epochs; of what is further away they teach less.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/network_rollout.h"

namespace espalier {

struct RunCorrection {
  double fall = 1;   // by what forecast decreases are multiplied
  double width = 1;  // and, after that, the ranges around them
  friend bool operator==(const RunCorrection&, const RunCorrection&) = default;
};

// As how many forecasts of the run at hand the usual counts.
struct UsualCounts {
  double fall = 10;
  double width = 10;
  // By how much losses usually are off, in squared deviations. Ranges that hold 0.9 of what comes
  // may do so with squares of less than 1: a few that are far out are paid for by the many.
  double square = 1;
  friend bool operator==(const UsualCounts&, const UsualCounts&) = default;
};

// Older forecasts count for so little that they are forgotten.
inline constexpr std::size_t kMostRecalled = 40;

// A forecast that was made of this run, and what came. Oldest first.
struct Recalled {
  double from = 0;  // the loss that it was made at
  LossRange said{};
  double came = 0;
};

RunCorrection learn_correction(std::span<const Recalled> recalled, const UsualCounts& usual = {});

// Of the squared deviations from forecasts with corrected falls; older ones count for less.
struct SquareSum {
  double sum = 0;
  double weight = 0;
};
SquareSum squares_of(std::span<const Recalled> recalled, const UsualCounts& usual);

// `from` is the newest loss, `ahead` the number of epochs.
LossRange corrected_at(const LossRange& said, double from, const RunCorrection& correction,
                       std::size_t ahead);
LossesAhead corrected(LossesAhead ranges, double from, const RunCorrection& correction);

}  // namespace espalier
