// SPDX-License-Identifier: Apache-2.0
// A benchmark of the paper: the best plan that stays where it starts.
#pragma once

#include "core/strategy.h"

namespace espalier {

const Strategy& no_switch_strategy();

}  // namespace espalier
