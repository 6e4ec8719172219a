// SPDX-License-Identifier: Apache-2.0
#include "energy/modelled_meter.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace espalier {

LoadModelMeter::LoadModelMeter(Device device, int processors, Clocks clocks)
    : device_(std::move(device)),
      processors_(processors),
      clocks_(clocks),
      last_wall_(clocks.wall.now()),
      last_cpu_(clocks.cpu.now()) {
  ESPALIER_CHECK(processors >= 1);
}

// The two clocks are read one after the other, so that a short stretch may seem to be loaded by
// more than all processors: hence the limit of power_at.
EnergyReading LoadModelMeter::read() {
  const Seconds wall = clocks_.wall.now();
  const Seconds cpu = clocks_.cpu.now();
  const Seconds elapsed = wall - last_wall_;
  if (elapsed > Seconds{}) {
    const double load = (cpu - last_cpu_) / (elapsed * processors_);
    total_ += power_at(device_, load) * elapsed;
    last_wall_ = wall;
    last_cpu_ = cpu;
  }
  return {total_, Provenance::Modelled,
          fmt::format("{}: {:.4g} W + load × {:.4g} W", device_.name, device_.idle.value,
                      (device_.tdp - device_.idle).value)};
}

void WorkModelMeter::count(Flops work) { total_ += cost_of(device_, work).energy; }

EnergyReading WorkModelMeter::read() {
  return {total_, Provenance::Modelled,
          fmt::format("{}: counted work × {:.3g} pJ/FLOP", device_.name,
                      joules_per_flop(device_) * 1e12)};
}

}  // namespace espalier
