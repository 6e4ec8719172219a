// SPDX-License-Identifier: Apache-2.0
// The cheapest fixed plan that reaches the goal with the probability asked for.
#pragma once

#include "core/strategy.h"

namespace espalier {

const Strategy& depl_strategy();

}  // namespace espalier
