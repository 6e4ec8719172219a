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
#include "io/settings.h"

namespace espalier {

// Every problem at once, sorted by line. A scenario is there if none of them is an error.
struct ScenarioReading {
  std::optional<Scenario> scenario;
  std::vector<Diagnostic> diagnostics;
};

// `file` is used in messages, and its stem as the name of a scenario that has none. Never throws
// for bad text.
ScenarioReading read_scenario(std::string_view text, const std::string& file,
                              std::span<const Setting> settings = {});

// Reads the file too: a missing, unreadable, too large or non-regular file is a diagnostic like any
// other.
ScenarioReading read_scenario_file(const std::filesystem::path& path,
                                   std::span<const Setting> settings = {});

// Throws Error{BadInput} with the first problem and how many more there are.
Scenario load_scenario(const std::filesystem::path& path, std::span<const Setting> settings = {});

}  // namespace espalier
