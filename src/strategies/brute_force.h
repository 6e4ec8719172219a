// SPDX-License-Identifier: Apache-2.0
// Every plan there is, one after the other: the oracle of the tests.
#pragma once

#include "core/strategy.h"

namespace espalier {

const Strategy& brute_force_strategy();

}  // namespace espalier
