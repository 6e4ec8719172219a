// SPDX-License-Identifier: Apache-2.0
// Energy of the processors and their memory, from the counters of the Linux powercap tree.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/meter.h"
#include "energy/energy_counter.h"
#include "energy/rapl_zones.h"

namespace espalier {

struct RaplOptions {
  // Where the zones are; another place in tests.
  std::filesystem::path root = "/sys/class/powercap";
  // What no package can draw. A counter that moves faster was reset; raise it for larger
  // processors.
  Watts most_power{1000};
};

// Measured. Counts what the whole package uses, other programs included.
// A counter goes around after 65 to 260 kJ on most processors. One time around between two reads is
// seen, several are not: read at least every longest_safe_interval(), or let a SampledMeter do it.
// Owned by one thread.
class RaplMeter final : public Meter {
 public:
  // `clock` must outlive the meter. Throws Error{RunFailed} as read() does.
  RaplMeter(const RaplZones& zones, const RaplOptions& options, const Clock& clock);

  // Throws Error{RunFailed} if a counter is gone, unreadable or garbage; a later read may succeed.
  EnergyReading read() override;

  // At most_power in every zone; nothing if the kernel tells no range.
  std::optional<Seconds> longest_safe_interval() const;
  const std::vector<IgnoredSensor>& ignored() const { return ignored_; }

 private:
  struct Zone {
    std::filesystem::path path;
    EnergyCounter counter;
  };
  const Clock& clock_;
  const std::string source_;
  const std::vector<IgnoredSensor> ignored_;
  std::vector<Zone> zones_;
};

// Finds the zones and starts to count.
Opened<RaplMeter> open_rapl_meter(const RaplOptions& options, const Clock& clock);

}  // namespace espalier
