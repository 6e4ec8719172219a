// SPDX-License-Identifier: Apache-2.0
// Which energy counters of the Linux powercap tree make up the processors, each joule once.
//
// The tree nests: `core` and `uncore` are parts of their `package`, `psys` contains the packages,
// and some machines show a package a second time through memory-mapped registers (intel-rapl-mmio)
// or once for each of its dies. `dram` lies outside the package. So packages and their dram count,
// and everything else is ignored, with the reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "energy/availability.h"

namespace espalier {

struct RaplZone {
  std::string name;  // "package-0", "package-0 dram"
  std::filesystem::path counter;
  std::optional<uint64_t> range;  // nothing if the kernel tells none, or 0
};

struct RaplZones {
  std::vector<RaplZone> counted;
  std::vector<IgnoredSensor> ignored;
};

// Unavailable if there is no package, or one that cannot be read: a sum without it would be too
// low. A dram that cannot be read is ignored; the name of the sum tells that it is not in it.
std::variant<RaplZones, Unavailable> find_rapl_zones(const std::filesystem::path& root);

}  // namespace espalier
