// SPDX-License-Identifier: Apache-2.0
// A clock that stands still until it is told to go on.
#pragma once

#include "core/clock.h"

namespace espalier::testing {

class FakeClock final : public Clock {
 public:
  Seconds now() const override { return time; }
  Seconds time{1000};
};

}  // namespace espalier::testing
