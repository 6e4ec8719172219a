// SPDX-License-Identifier: Apache-2.0
// The fair competitor of plans that know the distribution: one that does not, with a margin.
#pragma once

#include "core/strategy.h"

namespace espalier {

const Strategy& expectation_margin_strategy();

}  // namespace espalier
