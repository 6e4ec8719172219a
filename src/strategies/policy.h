// SPDX-License-Identifier: Apache-2.0
// The closed-loop optimum: the least mean energy for a promised probability, decided epoch by
// epoch.
#pragma once

#include "core/strategy.h"

namespace espalier {

const Strategy& policy_strategy();

}  // namespace espalier
