// SPDX-License-Identifier: Apache-2.0
// What work costs where it is done: as measured here, or as modelled for the device that a node set
// is said to have.
#pragma once

#include <optional>
#include <string>

#include "energy/device.h"
#include "energy/stopwatch.h"
#include "experiments/laboratory.h"

namespace espalier {

// A step of a node set, whose members work at the same time.
struct Work {
  Flops busiest{};  // of the member that has most to do
  Flops all{};      // of all members together
};

// How it went in this process, where members work one after another.
struct Watched {
  Seconds slowest{};  // member
  EnergyUse all{};
};

// Immutable.
class Site {
 public:
  // The name of a device of the catalogue; empty: this machine. Throws Error{BadInput}.
  explicit Site(const std::string& device);

  bool is_this_machine() const { return !device_; }
  StepCost cost_of(const Work& work, const Watched& watched) const;

  // A network comes here: over the slower link of the two, while the one that waits for it idles.
  // Nothing, and without a source, between two node sets on this machine.
  StepCost arrival(int64_t bytes, const Site& from) const;

 private:
  std::optional<Device> device_;
};

}  // namespace espalier
