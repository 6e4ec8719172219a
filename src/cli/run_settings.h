// SPDX-License-Identifier: Apache-2.0
// How a run is to go, as people said it. Kept in its folder, so that whoever resumes it, or looks
// at it, does the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "orchestrator/adviser.h"
#include "orchestrator/run_directory.h"
#include "orchestrator/run_setup.h"
#include "orchestrator/run_state.h"

namespace espalier {

struct RunSettings {
  std::string run;  // its name, for nodes
  std::string strategy = "pact";
  PlannerChoice planner{};
  std::uint64_t seed = 1;
  double patience = Patience{}.wait.value;    // s
  double give_up = Patience{}.give_up.value;  // s
  int distil = 0;
  std::string trainer{};       // the program of nodes that are started here; empty: the usual one
  std::string listen{};        // empty: nodes are started here
  std::string certificates{};  // with `listen`
  bool is_fitted = false;      // the estimators lie in the folder
  int rules = kRunRules;       // that its journal is written by
};

// With what machine and program they are made.
std::string settings_text(const RunSettings& settings);
// From now on nodes call there. REQUIRES: the folder holds settings.
void keep_address(const RunDirectory& directory, const std::string& address);
// Throws Error{BadInput}, beginning with `source`, for anything but what settings_text writes.
RunSettings parse_settings(std::string_view text, const std::string& source);
// Throws Error{BadInput} where the file is not there or damaged.
RunSettings load_settings(const RunDirectory& directory);

// A run as its folder tells it.
struct LoadedRun {
  RunSettings settings;
  Input input;
  RunSetup setup;

  const Strategy& strategy() const;
  Advising advising() const;
};
// Throws Error{BadInput} where something is missing or damaged, or cannot be run for real.
LoadedRun load_run(const RunDirectory& directory);

}  // namespace espalier
