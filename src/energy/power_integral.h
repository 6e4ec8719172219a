// SPDX-License-Identifier: Apache-2.0
// Energy from samples of power.
#pragma once

#include <optional>

#include "energy/quantities.h"

namespace espalier {

// The trapezoid rule: between two samples the power is taken to change in a straight line. What
// happens between them is not seen. Owned by one thread.
class PowerIntegral {
 public:
  // REQUIRES: power ≥ 0. A sample that is not later than the last one adds nothing.
  void add(Seconds time, Watts power);
  // Since the first sample.
  Joules total() const { return total_; }

 private:
  struct Sample {
    Seconds time{};
    Watts power{};
  };
  std::optional<Sample> last_;
  Joules total_{};
};

}  // namespace espalier
