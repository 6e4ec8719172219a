// SPDX-License-Identifier: Apache-2.0
// A benchmark of the paper: every model of the chain contributes the same.
#pragma once

#include "core/strategy.h"

namespace espalier {

const Strategy& static_learn_strategy();

}  // namespace espalier
