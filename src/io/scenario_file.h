// SPDX-License-Identifier: Apache-2.0
// Scenario files ⇄ core/scenario.h.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scenario.h"
#include "io/diagnostic.h"

namespace espalier {

// One `--set goal.loss=0.2`: replaces (or adds) a value before the file is interpreted.
struct Setting {
  std::string key;
  std::string value;
};

// Every problem at once. A scenario is there if none of them is an error.
struct ScenarioReading {
  std::optional<Scenario> scenario;
  std::vector<Diagnostic> diagnostics;
};

// `file` is only used in messages. Never throws for bad text.
ScenarioReading read_scenario(std::string_view text, const std::string& file, std::span<const Setting> settings = {});

// Reads the file too: a missing, unreadable, too large or non-regular file is a diagnostic like any other.
ScenarioReading read_scenario_file(const std::filesystem::path& path, std::span<const Setting> settings = {});

// Throws Error{BadInput} with the first problem and how many more there are.
Scenario load_scenario(const std::filesystem::path& path, std::span<const Setting> settings = {});

}  // namespace espalier
