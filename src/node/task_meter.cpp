// SPDX-License-Identifier: Apache-2.0
#include "node/task_meter.h"

#include "core/error.h"

namespace espalier {

TaskMeter::TaskMeter(const NodeMeters& meters, const Clock& clock)
    : modelled_(meters.modelled, clock) {
  try {
    best_.emplace(meters.best, clock);
  } catch (const Error& error) {
    failure_ = error.what();
  }
}

EnergyUse TaskMeter::elapsed() const {
  std::string failure = failure_;
  if (best_) {
    try {
      return best_->elapsed();
    } catch (const Error& error) {
      failure = error.what();
    }
  }
  EnergyUse use = modelled_.elapsed();
  use.source += "; not measured: " + failure;
  return use;
}

}  // namespace espalier
