// SPDX-License-Identifier: Apache-2.0
// What estimators are judged by, and fitted to.
#pragma once

#include <vector>

#include "estimation/estimators.h"

namespace espalier {

// A curve, and the next losses under the same conditions, without a gap: at least one, perhaps
// fewer than asked. Networks are fitted to many of them at once: run_sequence.h.
struct RunExample {
  History history;
  std::vector<double> next;
};

// A pruning that was observed: what it began from, and the loss right after it.
struct ChangeExample {
  Pruning change;
  double after = 0;
};

}  // namespace espalier
