// SPDX-License-Identifier: Apache-2.0
#include "energy/stopwatch.h"

#include "core/error.h"
#include "core/provenance.h"

namespace espalier {

Stopwatch::Stopwatch(Meter& meter, const Clock& clock)
    : meter_(meter), clock_(clock), start_(meter.read()), start_time_(clock.now()) {}

// The time is read first, so that the reading of the meter is not in it.
EnergyUse Stopwatch::elapsed() const {
  const Seconds time = clock_.now() - start_time_;
  const EnergyReading now = meter_.read();
  const Joules energy = now.energy - start_.energy;
  ESPALIER_CHECK(energy >= Joules{});
  return {energy, time, weaker(start_.provenance, now.provenance), now.source};
}

}  // namespace espalier
