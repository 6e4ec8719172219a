// SPDX-License-Identifier: Apache-2.0
#include "energy/system_clocks.h"

#include <ctime>

#include "core/error.h"

namespace espalier {
namespace {

Seconds read_clock(clockid_t clock) {
  struct timespec time {};
  ESPALIER_CHECK(::clock_gettime(clock, &time) == 0);
  return {static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9};
}

}  // namespace

Seconds SteadyClock::now() const { return read_clock(CLOCK_MONOTONIC); }

Seconds ProcessCpuClock::now() const { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace espalier
