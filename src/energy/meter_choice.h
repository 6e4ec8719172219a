// SPDX-License-Identifier: Apache-2.0
// Picks the best meter that this machine offers, and says why not a better one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/meter.h"
#include "energy/hwmon_sensors.h"
#include "energy/local_device.h"
#include "energy/modelled_meter.h"
#include "energy/nvml_meter.h"
#include "energy/rapl_meter.h"

namespace espalier {

struct MeterOptions {
  RaplOptions rapl;
  HwmonOptions hwmon;
  NvmlOptions nvml;
  LocalDeviceOptions local;
  // What to model where nothing can be measured: a device of the catalogue, or this machine.
  std::string modelled_device = "local";
  // How often power is sampled where there is no counter; 0 means only when the meter is read.
  Seconds sampling_interval{0.1};
};

// A meter that was not used, or a sensor that is not in the sum.
struct NotUsed {
  std::string meter;  // "RAPL"
  std::string why;
  std::string hint;  // may be empty
};

struct MeterChoice {
  std::unique_ptr<Meter> meter;
  std::string chosen;  // "RAPL package-0, package-0 dram (measured)"
  std::string how;     // how the model was found; empty if nothing is modelled
  std::vector<NotUsed> not_used;
};

// Processors: RAPL, else the board's sensors, else the model. To these the GPUs are added, if NVML
// knows any and the board's sensors do not contain them. Never without a meter. The clocks must
// outlive it. Throws Error{BadInput} if `modelled_device` is not in the catalogue.
MeterChoice choose_meter(const MeterOptions& options, LoadModelMeter::Clocks clocks);

// One sentence: what is used, and why nothing else.
std::string explain(const MeterChoice& choice);

}  // namespace espalier
