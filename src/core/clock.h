// SPDX-License-Identifier: Apache-2.0
// The role of clocks: how much time has gone by.
#pragma once

#include "core/units.h"

namespace espalier {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // Since some fixed point; never falls.
  virtual Seconds now() const = 0;
};

}  // namespace espalier
