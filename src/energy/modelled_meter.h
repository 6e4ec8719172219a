// SPDX-License-Identifier: Apache-2.0
// Energy where nothing can be measured: from a device's data sheet and what was done on it.
#pragma once

#include <string>

#include "core/clock.h"
#include "core/meter.h"
#include "energy/device.h"

namespace espalier {

// Wall time × (idle + load × (TDP − idle)), where the load is the share of the device's processors
// that this process keeps busy. What other programs use is not in it. Owned by one thread.
class LoadModelMeter final : public Meter {
 public:
  struct Clocks {
    const Clock& wall;
    const Clock& cpu;  // processor time of what is to be counted
  };
  // The clocks must outlive the meter. REQUIRES: processors ≥ 1.
  LoadModelMeter(Device device, int processors, Clocks clocks);
  EnergyReading read() override;

 private:
  const Device device_;
  const int processors_;
  const Clocks clocks_;
  Seconds last_wall_{};
  Seconds last_cpu_{};
  Joules total_{};
};

// Counted work × joules per FLOP. Whoever trains tells it what was done. Owned by one thread.
class WorkModelMeter final : public Meter {
 public:
  explicit WorkModelMeter(Device device) : device_(std::move(device)) {}
  // Throws Error{BadInput} unless `work` is finite and ≥ 0.
  void count(Flops work);
  EnergyReading read() override;

 private:
  const Device device_;
  Joules total_{};
};

}  // namespace espalier
