// SPDX-License-Identifier: Apache-2.0
// What `check` found in its files, ready to be told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/scenario.h"
#include "io/diagnostic.h"
#include "render/ink.h"

namespace espalier {

struct CheckedFile {
  std::string file;
  std::optional<Scenario> scenario;  // if it has no errors
  std::vector<Diagnostic> diagnostics;
};

struct CheckReport {
  std::vector<CheckedFile> files;

  std::size_t count(Diagnostic::Severity severity) const;
};

// "3 models, 3 node sets, 3 placements, power rules; no noise, …": a scenario in one line.
std::string summary_of(const Scenario& scenario);

std::string check_text(const CheckReport& report, const Ink& ink);
std::string check_document(const CheckReport& report);

}  // namespace espalier
