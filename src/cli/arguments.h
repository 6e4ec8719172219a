// SPDX-License-Identifier: Apache-2.0
// What people write behind options, turned into values. Everything throws Error{BadInput} for what
// it cannot read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/problem.h"
#include "core/strategy.h"
#include "core/units.h"
#include "io/scenario_file.h"
#include "studies/plan_study.h"

namespace espalier {

// "goal.loss=0.2"
Setting parse_setting(const std::string& text);

// "L=+0.1": the decreases of a model are believed to be 10 % larger than they are.
struct Bias {
  std::string model;
  double share = 0;
};
Bias parse_bias(const std::string& text);

// "goal.loss=0.15:0.45:0.05"
struct Sweep {
  std::string key;
  std::vector<double> values;
};
Sweep parse_sweep(const std::string& text);

// What an option says: "2", "2 s", "5 min"; more than nothing.
Seconds parse_time(const std::string& option, const std::string& text);

// A loss ≥ 0.
Loss parse_margin(const std::string& text);

// "exact,pact": strategies in that order, each once.
std::vector<const Strategy*> parse_strategies(const std::string& text);

}  // namespace espalier
