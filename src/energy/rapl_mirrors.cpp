// SPDX-License-Identifier: Apache-2.0
#include "energy/rapl_mirrors.h"

#include <string_view>

#include "energy/sensor_file.h"

namespace espalier {
namespace {

// Of a counter that is refreshed between the two readings: 1 J, of 60 kJ and more that it holds.
constexpr uint64_t kSlack = 1'000'000;

// "package-0" of "package-0-die-1"; empty if it is no die.
std::string_view package_of_die(std::string_view name) {
  const std::size_t at = name.find("-die-");
  return at == std::string_view::npos || name.ends_with("dram") ? "" : name.substr(0, at);
}

std::optional<uint64_t> count_of(const RaplZone& zone) {
  const auto count = read_sensor_count(zone.counter);
  const auto* value = std::get_if<uint64_t>(&count);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

// A counter that has not moved since the start says nothing about whose it is.
bool is_mirror(const RaplZone& zone, const RaplZone& sibling) {
  const auto before = count_of(sibling);
  const auto count = count_of(zone);
  const auto after = count_of(sibling);
  if (!before || !count || !after || *count == 0) return false;
  return *count + kSlack >= *before && *count <= *after + kSlack;
}

const RaplZone* mirrored(const RaplZone& zone, const std::vector<RaplZone>& kept) {
  const std::string_view package = package_of_die(zone.name);
  if (package.empty()) return nullptr;
  for (const RaplZone& other : kept) {
    if (package_of_die(other.name) == package && is_mirror(zone, other)) return &other;
  }
  return nullptr;
}

}  // namespace

RaplZones without_mirrors(RaplZones zones) {
  RaplZones result{.counted = {}, .ignored = std::move(zones.ignored)};
  for (RaplZone& zone : zones.counted) {
    if (const RaplZone* const other = mirrored(zone, result.counted)) {
      result.ignored.push_back({zone.name, "it shows the counter of " + other->name});
    } else {
      result.counted.push_back(std::move(zone));
    }
  }
  return result;
}

}  // namespace espalier
