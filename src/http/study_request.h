// SPDX-License-Identifier: Apache-2.0
// What a page asks about a scenario that it holds as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/strategy.h"
#include "io/scenario_file.h"
#include "studies/input.h"

namespace espalier {

struct StudyRequest {
  std::string scenario;                // its text
  std::string file = "scenario.yaml";  // what messages call it
  std::vector<Setting> settings;       // on top of the text
  std::string strategy = "exact";
  std::string estimator;  // empty: the strategy's own
  bool explain = false;
  bool alternatives = false;
  std::string axis = "deadline";  // of a frontier
  double loss_step = 0;
  double time_step = 0;
  std::vector<std::string> strategies;  // to compare; empty: the usual ones
  std::optional<std::int64_t> runs;
  std::uint64_t seed = 1;
};

// Throws Error{BadInput}: `keys` are those that the route understands beside scenario, file and
// settings.
StudyRequest parse_study_request(const std::string& body, const std::vector<std::string>& keys);

// The scenario as `check` reads it.
ScenarioReading read_scenario_of(const StudyRequest& request);

// Ready to be planned. Throws Error{BadInput} with the first problem, and for scenarios that need
// files: texts that come over HTTP never lead to one.
Input input_of(const StudyRequest& request);

PlannerOptions planner_options_of(const StudyRequest& request);

}  // namespace espalier
