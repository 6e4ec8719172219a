// SPDX-License-Identifier: Apache-2.0
// Energy and time between two points.
#pragma once

#include <string>
#include <utility>

#include "core/clock.h"
#include "core/meter.h"

namespace espalier {

struct EnergyUse {
  Joules energy{};
  Seconds time{};
  Provenance provenance = Provenance::Modelled;
  std::string source;
};

// Runs from its making on. Meter and clock must outlive it. Owned by one thread.
class Stopwatch {
 public:
  // Throws what the meter throws.
  Stopwatch(Meter& meter, const Clock& clock);
  // Since it was made. Throws what the meter throws.
  EnergyUse elapsed() const;

 private:
  Meter& meter_;
  const Clock& clock_;
  EnergyReading start_;
  Seconds start_time_;
};

// What `work()` took. Throws what the meter or the work throws.
template <class Work>
EnergyUse measure(Meter& meter, const Clock& clock, Work&& work) {
  const Stopwatch stopwatch(meter, clock);
  std::forward<Work>(work)();
  return stopwatch.elapsed();
}

}  // namespace espalier
