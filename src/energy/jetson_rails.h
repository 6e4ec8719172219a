// SPDX-License-Identifier: Apache-2.0
// The power rails of Jetson boards, as INA3221 chips measure them.
#pragma once

#include <filesystem>
#include <vector>

#include "energy/hwmon_sensors.h"

namespace espalier {

// All rails that have a label, below `root`/bus/i2c/drivers/ina3221*; in the order of their chips.
// Both layouts: hwmon (JetPack 5 and later) and iio (JetPack 4).
std::vector<Probe> find_jetson_rails(const std::filesystem::path& root);

struct RailChoice {
  std::vector<Probe> counted;
  std::vector<IgnoredSensor> ignored;
};

// The rail of the whole input alone if there is one, otherwise all that do not overlap.
RailChoice choose_rails(const std::vector<Probe>& rails);

}  // namespace espalier
