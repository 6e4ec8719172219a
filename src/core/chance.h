// SPDX-License-Identifier: Apache-2.0
// How likely a plan reaches its goal.
#pragma once

#include <cstddef>

#include "core/units.h"

namespace espalier {

struct Interval {
  double low = 0;
  double high = 0;
};

// Counted on realisations that the planning did not see.
struct Chance {
  double probability = 0;    // of reaching the goal by the deadline
  Interval interval{0, 1};   // of the probability, at 95 % confidence
  std::size_t runs = 0;      // that were counted
  Joules mean_energy{};      // of all of them; a run ends when it reaches the goal
  bool is_of_start = false;  // promised in the beginning, of a plan that is under way
};

}  // namespace espalier
