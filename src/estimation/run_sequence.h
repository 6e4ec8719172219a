// SPDX-License-Identifier: Apache-2.0
// Many examples in one: a whole curve up to the end of a stage, with an example at each place that
// another loss follows. A network that reads it once forecasts at all its places: hundreds of times
// faster than example by example.
#pragma once

#include <cstddef>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/examples.h"

namespace espalier {

struct RunSequence {
  std::vector<double> losses;  // the fresh network's, then one per epoch or change
  Conditions now;              // from `stage` to the end
  std::size_t stage = 0;
  // Examples begin here, or at `stage` if that is later. What is before is read only: another
  // sequence has it, or it was trained under other conditions.
  std::size_t first = 0;
  // One for each loss that nobody saw, or empty where all were seen. They are read only.
  std::vector<bool> guessed{};
};

// How many of the losses right after a place are to be forecast there: 0 to kEpochsAhead.
std::size_t targets_at(const RunSequence& sequence, std::size_t place);

// How many examples it holds.
std::size_t examples_in(const RunSequence& sequence);

// One by one. They take memory as the square of the curve's length.
std::vector<RunExample> examples_of(const RunSequence& sequence);

}  // namespace espalier
