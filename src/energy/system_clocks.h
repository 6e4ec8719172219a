// SPDX-License-Identifier: Apache-2.0
// The clocks of this machine.
#pragma once

#include "core/clock.h"

namespace espalier {

// Time as it goes by, not counting while the machine sleeps. Thread-safe.
class SteadyClock final : public Clock {
 public:
  Seconds now() const override;
};

// Processor time of all threads of this process, ended ones included; children are not.
// Thread-safe.
class ProcessCpuClock final : public Clock {
 public:
  Seconds now() const override;
};

}  // namespace espalier
