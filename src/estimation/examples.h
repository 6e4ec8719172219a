// SPDX-License-Identifier: Apache-2.0
// What estimators are fitted to.
#pragma once

#include <cstddef>
#include <vector>

#include "estimation/estimators.h"

namespace espalier {

// A curve, and how it went on under the same conditions: 1 to kEpochsAhead losses.
struct RunExample {
  History history;
  std::vector<double> next;
};

// Many examples in one: a whole curve up to the end of a stage, with one example at each place from
// `stage` on that another loss follows. A network that reads it once forecasts at all these places,
// so that curves are learned from whole.
struct RunSequence {
  std::vector<double> losses;  // the fresh network's, then one per epoch or change
  Conditions now;              // from `stage` to the end
  std::size_t stage = 0;
};

// How many examples a sequence holds.
std::size_t examples_in(const RunSequence& sequence);

// One by one, for those who judge forecasts. Their losses add up to the square of a curve's length.
std::vector<RunExample> examples_of(const RunSequence& sequence);

struct ChangeExample {
  Change change;
  double after = 0;
};

}  // namespace espalier
