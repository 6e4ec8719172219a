// SPDX-License-Identifier: Apache-2.0
// The sections `training` and `collect` of a scenario as a file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/scenario.h"

namespace espalier {

// Empty if the scenario has neither.
std::string workload_yaml(const Scenario& scenario);

// The keys of `training` but for `nodes`, in the order of a file, and their values as text.
std::vector<std::pair<std::string, std::string>> training_settings(const TrainingSpec& training);

}  // namespace espalier
