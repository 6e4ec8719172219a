// SPDX-License-Identifier: Apache-2.0
#include "energy/rapl_meter.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "energy/sensor_file.h"

namespace espalier {
namespace {

std::string source_of(const RaplZones& zones) {
  std::string names;
  for (const RaplZone& zone : zones.counted) names += (names.empty() ? "" : ", ") + zone.name;
  return "RAPL " + names;
}

// The time is read right after the counter, so that the two belong together.
CounterSample sample(const std::filesystem::path& path, const Clock& clock) {
  const auto count = read_sensor_count(path);
  if (const auto* fault = std::get_if<SensorFault>(&count)) {
    throw Error(ErrorCode::RunFailed, "the energy counter no longer answers: " + fault->what,
                "was a processor taken offline, or were permissions taken away?");
  }
  return {std::get<uint64_t>(count), clock.now()};
}

CounterTraits traits_of(const RaplZone& zone, const RaplOptions& options) {
  return {.name = "RAPL " + zone.name,
          .joules_per_count = 1e-6,
          .range = zone.range,
          .most_power = options.most_power};
}

}  // namespace

RaplMeter::RaplMeter(const RaplZones& zones, const RaplOptions& options, const Clock& clock)
    : clock_(clock), source_(source_of(zones)), ignored_(zones.ignored) {
  for (const RaplZone& zone : zones.counted) {
    const CounterSample first = sample(zone.counter, clock);
    zones_.push_back({zone.counter, EnergyCounter(traits_of(zone, options), first)});
  }
}

EnergyReading RaplMeter::read() {
  std::vector<CounterSample> samples;
  for (const Zone& zone : zones_) samples.push_back(sample(zone.path, clock_));
  Joules total{};
  for (std::size_t i = 0; i < zones_.size(); ++i) {
    zones_[i].counter.advance(samples[i]);
    total += zones_[i].counter.total();
  }
  return {total, Provenance::Measured, source_};
}

std::optional<Seconds> RaplMeter::longest_safe_interval() const {
  Seconds shortest = Seconds::infinite();
  for (const Zone& zone : zones_) {
    const auto interval = zone.counter.longest_safe_interval();
    if (!interval) return std::nullopt;
    shortest = std::min(shortest, *interval);
  }
  return shortest;
}

Opened<RaplMeter> open_rapl_meter(const RaplOptions& options, const Clock& clock) {
  const auto found = find_rapl_zones(options.root);
  if (const auto* reason = std::get_if<Unavailable>(&found)) return *reason;
  try {
    return std::make_unique<RaplMeter>(std::get<RaplZones>(found), options, clock);
  } catch (const Error& error) {
    return Unavailable{error.what(), error.hint()};
  }
}

}  // namespace espalier
