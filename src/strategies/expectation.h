// SPDX-License-Identifier: Apache-2.0
// What planning on averages does: exact, and blind to the spread.
#pragma once

#include "core/strategy.h"

namespace espalier {

const Strategy& expectation_strategy();

}  // namespace espalier
