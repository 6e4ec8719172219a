// SPDX-License-Identifier: Apache-2.0
// A benchmark of the paper: the best plan that switches at most once.
#pragma once

#include "core/strategy.h"

namespace espalier {

const Strategy& one_switch_strategy();

}  // namespace espalier
