// SPDX-License-Identifier: Apache-2.0
// The sections `training` and `collect` of a scenario as a file.
#pragma once

#include <string>

#include "core/scenario.h"

namespace espalier {

// Empty if the scenario has neither.
std::string workload_yaml(const Scenario& scenario);

}  // namespace espalier
