// SPDX-License-Identifier: Apache-2.0
#include "energy/combined_meter.h"

#include <utility>

#include "core/error.h"
#include "core/provenance.h"

namespace espalier {

CombinedMeter::CombinedMeter(std::vector<std::unique_ptr<Meter>> parts) : parts_(std::move(parts)) {
  ESPALIER_CHECK(!parts_.empty());
}

EnergyReading CombinedMeter::read() {
  EnergyReading sum{.energy = {}, .provenance = Provenance::Measured, .source = ""};
  for (const auto& part : parts_) {
    const EnergyReading reading = part->read();
    sum.energy += reading.energy;
    sum.provenance = weaker(sum.provenance, reading.provenance);
    sum.source += (sum.source.empty() ? "" : " + ") + reading.source;
  }
  return sum;
}

}  // namespace espalier
