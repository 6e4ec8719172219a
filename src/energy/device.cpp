// SPDX-License-Identifier: Apache-2.0
#include "energy/device.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"

namespace espalier {

ModelledCost cost_of(const Device& device, Flops work) {
  if (!std::isfinite(work.value) || work.value < 0) {
    throw Error(
        ErrorCode::BadInput,
        fmt::format("{} FLOPs of work on {}; it must be finite and ≥ 0", work.value, device.name));
  }
  const Seconds time = work / device.sustained();
  return {time, device.tdp * time, Provenance::Modelled,
          fmt::format("{}: {:.4g} W, {:.4g} GFLOP/s of training", device.name, device.tdp.value,
                      device.sustained().value * 1e-9)};
}

double joules_per_flop(const Device& device) { return device.tdp.value / device.sustained().value; }

Watts power_at(const Device& device, double load) {
  return device.idle + (device.tdp - device.idle) * std::clamp(load, 0.0, 1.0);
}

}  // namespace espalier
