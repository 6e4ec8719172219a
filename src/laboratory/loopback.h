// SPDX-License-Identifier: Apache-2.0
// How long bytes take from one process of this machine to another.
#pragma once

#include <cstdint>

#include "core/clock.h"

namespace espalier {

// Through a TCP connection of this machine with itself. Throws Error{RunFailed}.
Seconds loopback_time(int64_t bytes, const Clock& clock);

}  // namespace espalier
