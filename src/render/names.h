// SPDX-License-Identifier: Apache-2.0
// What a placement is called in the scenario.
#pragma once

#include <optional>
#include <string>

#include "core/plan.h"
#include "core/problem.h"
#include "core/scenario.h"

namespace espalier {

// `data` and `level` are absent where the node set has no such options.
struct PlacementNames {
  std::string model;
  std::string nodes;
  std::optional<std::string> data;
  std::optional<std::string> level;
};

PlacementNames names_of(const Scenario& scenario, const Placement& placement);

const char* name_of(Estimator estimator);
const char* name_of(Verdict verdict);

}  // namespace espalier
