// SPDX-License-Identifier: Apache-2.0
// For tests: what a reading says, as text.
#pragma once

#include <string>
#include <vector>

#include "io/scenario_file.h"

namespace espalier {

inline std::vector<std::string> texts(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> out;
  out.reserve(diagnostics.size());
  for (const Diagnostic& diagnostic : diagnostics) out.push_back(diagnostic.text());
  return out;
}

inline std::vector<std::string> texts(const ScenarioReading& reading) {
  return texts(reading.diagnostics);
}

}  // namespace espalier
