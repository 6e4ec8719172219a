// SPDX-License-Identifier: Apache-2.0
// The role of energy meters: how many joules have gone by, and how one knows.
#pragma once

#include <string>

#include "core/units.h"

namespace espalier {

// How a figure came about. No joule is shown without it.
enum class Provenance {
  Measured,   // a counter or a sensor of the device itself
  Estimated,  // derived from a measurement of something else, such as power × time
  Modelled,   // from a catalogue and a formula
};

struct EnergyReading {
  Joules energy{};  // since the meter was made; never falls
  Provenance provenance = Provenance::Modelled;
  std::string source;  // "RAPL package-0, dram", "jetson-orin: 15 W × load"
};

// Owned by one thread.
class Meter {
 public:
  virtual ~Meter() = default;
  // Throws Error{RunFailed} where the device no longer answers: never a silent zero.
  virtual EnergyReading read() = 0;
};

}  // namespace espalier
