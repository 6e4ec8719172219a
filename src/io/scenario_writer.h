// SPDX-License-Identifier: Apache-2.0
// A scenario as a file: for "scenario as run", generated scenarios and round trips.
#pragma once

#include <string>

#include "core/scenario.h"

namespace espalier {

// Reading the text gives the same scenario back, to the last digit. What has its default is left
// out.
std::string to_yaml(const Scenario& scenario);

}  // namespace espalier
