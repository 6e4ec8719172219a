// SPDX-License-Identifier: Apache-2.0
// Energy from the sensors of a board: Jetson's rails, counters and power meters of hwmon.
#pragma once

#include <string>
#include <vector>

#include "core/clock.h"
#include "core/meter.h"
#include "energy/energy_counter.h"
#include "energy/hwmon_sensors.h"
#include "energy/power_integral.h"

namespace espalier {

// Counters: measured. Power sensors: estimated, as the integral of the power at each read by the
// trapezoid rule; read often, or let a SampledMeter do it. Negative currents, the noise of a rail
// that is off, count as none. Owned by one thread.
class HwmonMeter final : public Meter {
 public:
  // `clock` must outlive the meter. Throws Error{RunFailed} as read() does.
  HwmonMeter(HwmonSensors sensors, const HwmonOptions& options, const Clock& clock);

  // Throws Error{RunFailed} if a sensor is gone, unreadable or garbage; a later read may succeed.
  EnergyReading read() override;

  Coverage coverage() const { return sensors_.coverage; }
  bool needs_sampling() const { return counters_.empty(); }
  const std::vector<IgnoredSensor>& ignored() const { return sensors_.ignored; }

 private:
  Watts power_now() const;
  void advance_counters();
  std::string source() const;

  const Clock& clock_;
  const HwmonSensors sensors_;
  std::vector<EnergyCounter> counters_;  // one per probe, or none if these are power sensors
  PowerIntegral integral_;
};

// Finds the sensors and starts to count.
Opened<HwmonMeter> open_hwmon_meter(const HwmonOptions& options, const Clock& clock);

}  // namespace espalier
