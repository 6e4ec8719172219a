// SPDX-License-Identifier: Apache-2.0
#include "energy/energy_counter.h"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace espalier {
namespace {

// Counters are refreshed now and then (RAPL: about once in a millisecond), so that a short stretch
// may show the energy of the stretch before it.
constexpr Seconds kRefresh{0.1};

}  // namespace

EnergyCounter::EnergyCounter(CounterTraits traits, CounterSample first)
    : traits_(std::move(traits)), last_(first) {
  const bool is_range = traits_.range && *traits_.range > 0 && first.count <= *traits_.range;
  if (!is_range) traits_.range.reset();
}

void EnergyCounter::refuse(const std::string& what) const {
  throw Error(ErrorCode::RunFailed, traits_.name + ": the energy counter " + what,
              "the energy since the last reading is not known; do not rely on this stretch");
}

// REQUIRES: the count did not fall, or the range is known.
// One unit of the counter is missing at each wrap: the range is its largest value, not its period.
uint64_t EnergyCounter::step(uint64_t from, uint64_t to) const {
  return to >= from ? to - from : *traits_.range - from + to;
}

bool EnergyCounter::is_plausible(uint64_t counts, Seconds elapsed) const {
  const Joules energy{static_cast<double>(counts) * traits_.joules_per_count};
  return energy <= traits_.most_power * (elapsed + kRefresh) &&
         counts <= std::numeric_limits<uint64_t>::max() - counted_;
}

void EnergyCounter::advance(CounterSample now) {
  if (traits_.range && now.count > *traits_.range) {
    refuse(fmt::format("shows {}, more than its range of {}", now.count, *traits_.range));
  }
  const CounterSample before = std::exchange(last_, now);
  if (now.count < before.count && !traits_.range) {
    refuse(fmt::format("fell from {} to {}, and its range is not known", before.count, now.count));
  }
  const uint64_t counts = step(before.count, now.count);
  const Seconds elapsed = now.time - before.time;
  if (!is_plausible(counts, elapsed)) {
    refuse(fmt::format("moved by {:.6g} J in {:.3g} s, more than {:.6g} W; was it reset?",
                       static_cast<double>(counts) * traits_.joules_per_count, elapsed.value,
                       traits_.most_power.value));
  }
  counted_ += counts;
}

std::optional<Seconds> EnergyCounter::longest_safe_interval() const {
  if (!traits_.range || std::isinf(traits_.most_power.value)) return std::nullopt;
  return Joules{static_cast<double>(*traits_.range) * traits_.joules_per_count} /
         traits_.most_power;
}

}  // namespace espalier
