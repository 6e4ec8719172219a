// SPDX-License-Identifier: Apache-2.0
// What estimators are judged by, and fitted to.
#pragma once

#include <vector>

#include "estimation/estimators.h"

namespace espalier {

// A curve, and how it went on under the same conditions: 1 to kEpochsAhead losses. Networks are
// fitted to many of them at once: run_sequence.h.
struct RunExample {
  History history;
  std::vector<double> next;
};

struct ChangeExample {
  Change change;
  double after = 0;
};

}  // namespace espalier
