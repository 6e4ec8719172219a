// SPDX-License-Identifier: Apache-2.0
// A clock that stands still until it is told to go on.
#pragma once

#include <atomic>

#include "core/clock.h"

namespace espalier::fakes {

class FakeClock final : public Clock {
 public:
  Seconds now() const override { return {seconds_}; }
  void pass(Seconds time) { seconds_ += time.value; }

 private:
  std::atomic<double> seconds_ = 1000;
};

}  // namespace espalier::fakes
