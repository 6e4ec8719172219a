// SPDX-License-Identifier: Apache-2.0
// PACT (INFOCOM 2023): plan on a quantised graph of robust estimates, enact the first step,
// observe, repeat.
#pragma once

#include "core/strategy.h"

namespace espalier {

const Strategy& pact_strategy();

}  // namespace espalier
