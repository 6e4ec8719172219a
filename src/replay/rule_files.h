// SPDX-License-Identifier: Apache-2.0
// Learning rules that a scenario keeps in files of their own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/scenario.h"

namespace espalier {

// `scenario` with the rules themselves instead of the names of files, which are relative to
// `folder`. From traces: the mean curve of all stages that a placement's model, made in the way the
// scenario makes it, had on its node set; of all its ratio had there if there are none; and their
// spread as noise where the scenario gives neither noise nor a robust rule. Throws Error{BadInput}:
// a file that cannot be read, or tells nothing about the placement.
Scenario with_rules_read(Scenario scenario, const std::filesystem::path& folder);

struct RuleFault {
  std::string key;  // "run[2].learn"
  std::string what;
  std::string hint;
  std::filesystem::path file{};  // that the rule names
};

// All that with_rules_read would stumble over, each fault once, at the first row that has it.
std::vector<RuleFault> faults_of_rule_files(const Scenario& scenario,
                                            const std::filesystem::path& folder);

}  // namespace espalier
