// SPDX-License-Identifier: Apache-2.0
#include "energy/hwmon_meter.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "energy/sensor_file.h"

namespace espalier {
namespace {

template <class Value>
Value or_throw(const Sensed<Value>& sensed) {
  if (const auto* fault = std::get_if<SensorFault>(&sensed)) {
    throw Error(ErrorCode::RunFailed, "the power sensor does not answer: " + fault->what,
                "was its driver removed, or were permissions taken away?");
  }
  return std::get<Value>(sensed);
}

Watts power_of_rail(const Probe& probe) {
  const auto millivolts = static_cast<double>(or_throw(read_sensor_count(probe.file)));
  const auto milliamperes = static_cast<double>(or_throw(read_sensor_level(probe.current)));
  return {millivolts * std::max(0.0, milliamperes) * 1e-6};
}

Watts power_of(const Probe& probe) {
  if (probe.kind == ProbeKind::Rail) return power_of_rail(probe);
  return {static_cast<double>(or_throw(read_sensor_count(probe.file))) * probe.scale};
}

CounterSample sample(const Probe& probe, const Clock& clock) {
  const uint64_t count = or_throw(read_sensor_count(probe.file));
  return {count, clock.now()};
}

}  // namespace

HwmonMeter::HwmonMeter(HwmonSensors sensors, const HwmonOptions& options, const Clock& clock)
    : clock_(clock), sensors_(std::move(sensors)) {
  ESPALIER_CHECK(!sensors_.probes.empty());
  for (const Probe& probe : sensors_.probes) {
    if (probe.kind != ProbeKind::EnergyCounter) continue;
    counters_.emplace_back(CounterTraits{.name = probe.label,
                                         .joules_per_count = 1e-6,
                                         .range = std::nullopt,
                                         .most_power = options.most_power},
                           sample(probe, clock));
  }
  if (counters_.empty()) integral_.add(clock.now(), power_now());
}

Watts HwmonMeter::power_now() const {
  Watts sum{};
  for (const Probe& probe : sensors_.probes) sum += power_of(probe);
  return sum;
}

void HwmonMeter::advance_counters() {
  std::vector<CounterSample> samples;
  for (const Probe& probe : sensors_.probes) samples.push_back(sample(probe, clock_));
  for (std::size_t i = 0; i < counters_.size(); ++i) counters_[i].advance(samples[i]);
}

std::string HwmonMeter::source() const {
  std::string names;
  for (const Probe& probe : sensors_.probes) names += (names.empty() ? "" : " + ") + probe.label;
  return counters_.empty() ? names + ", power × time" : names;
}

EnergyReading HwmonMeter::read() {
  if (counters_.empty()) {
    const Watts power = power_now();
    integral_.add(clock_.now(), power);
    return {integral_.total(), Provenance::Estimated, source()};
  }
  advance_counters();
  Joules total{};
  for (const EnergyCounter& counter : counters_) total += counter.total();
  return {total, Provenance::Measured, source()};
}

Opened<HwmonMeter> open_hwmon_meter(const HwmonOptions& options, const Clock& clock) {
  auto found = find_hwmon_sensors(options);
  if (const auto* reason = std::get_if<Unavailable>(&found)) return *reason;
  try {
    return std::make_unique<HwmonMeter>(std::get<HwmonSensors>(std::move(found)), options, clock);
  } catch (const Error& error) {
    return Unavailable{error.what(), error.hint()};
  }
}

}  // namespace espalier
