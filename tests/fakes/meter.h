// SPDX-License-Identifier: Apache-2.0
// A meter that says what it is told to say.
#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/meter.h"

namespace espalier::fakes {

class FakeMeter final : public Meter {
 public:
  FakeMeter() = default;
  explicit FakeMeter(EnergyReading first) : reading(std::move(first)) {}
  EnergyReading read() override {
    ++reads;
    if (is_broken) throw Error(ErrorCode::RunFailed, "the sensor is gone");
    return reading;
  }
  EnergyReading reading{.energy = {}, .provenance = Provenance::Measured, .source = "fake"};
  std::atomic<bool> is_broken = false;
  std::atomic<int> reads = 0;
};

}  // namespace espalier::fakes
