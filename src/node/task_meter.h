// SPDX-License-Identifier: Apache-2.0
// What a task costs, whatever becomes of the sensors meanwhile.
#pragma once

#include <optional>
#include <string>

#include "energy/stopwatch.h"

namespace espalier {

// The meters that a node has. Both must outlive what uses them.
struct NodeMeters {
  Meter& best;
  Meter& modelled;  // for when the best no longer answers; never fails
};

// Runs from its making on. Owned by one thread.
class TaskMeter {
 public:
  TaskMeter(const NodeMeters& meters, const Clock& clock);
  // What the best meter says; once that fails, what the other one says, with the reason.
  EnergyUse elapsed() const;

 private:
  std::optional<Stopwatch> best_;
  Stopwatch modelled_;
  std::string failure_;
};

}  // namespace espalier
