// SPDX-License-Identifier: Apache-2.0
// From a bound and a plan to the best plan: passes below a cut that rises.
#pragma once

#include <functional>
#include <optional>

#include "core/plan.h"
#include "search/label_search.h"

namespace espalier {

// The best plan known so far and what no plan can beat, for one state of the run.
struct Bracket {
  double lower = 0;
  double upper = 0;  // without a plan: plans that cost as much are not looked for
  std::optional<Plan> best;

  // Plans closer to the bound than 1e-9 (relative) count as proved: the rounding of sums is of this
  // order.
  bool is_closed() const { return lower >= upper * (1 - 1e-9); }
};

// Looks for the best plan of less energy than the cut.
using Pass = std::function<LabelSearch::Outcome(double cut)>;

// Passes until the bracket is closed; false if one was stopped early. Closed without a plan: there
// is none. A guess where the best plan lies, if there is one, saves passes below it.
bool close(Bracket& bracket, const SearchGraph& graph, const State& now, const Pass& pass,
           double guess = 0);

}  // namespace espalier
