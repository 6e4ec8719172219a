// SPDX-License-Identifier: Apache-2.0
// Counters that only rise, except when they start again at zero.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "energy/quantities.h"

namespace espalier {

// What is known about a counter of energy.
struct CounterTraits {
  std::string name;                // "package-0", for messages
  double joules_per_count = 1e-6;  // its unit
  // The largest value before it starts at zero again; nothing if unknown.
  std::optional<uint64_t> range;
  // A step that would need more power than this is a reset or a fault, not energy.
  Watts most_power = Watts::infinite();
};

struct CounterSample {
  uint64_t count = 0;
  Seconds time{};
};

// Adds up the steps of one counter. Owned by one thread.
class EnergyCounter {
 public:
  // A range that `first` is above of already is no range: it counts as unknown.
  EnergyCounter(CounterTraits traits, CounterSample first);

  // Throws Error{RunFailed} if the counter cannot have come to `now`: a value above the range, a
  // fall with no known range, an impossible power. After the last two it goes on from `now`: what
  // was used since the sample before is lost, and the error has said so.
  void advance(CounterSample now);

  // Since `first`. Whole counts inside, so that no rounding adds up.
  Joules total() const { return {static_cast<double>(counted_) * traits_.joules_per_count}; }

  // A counter that is read less often may go around unnoticed; nothing if its range is unknown.
  std::optional<Seconds> longest_safe_interval() const;

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  uint64_t step(uint64_t from, uint64_t to) const;
  bool is_plausible(uint64_t counts, Seconds elapsed) const;

  CounterTraits traits_;
  CounterSample last_;
  uint64_t counted_ = 0;
};

}  // namespace espalier
