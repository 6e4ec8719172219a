// SPDX-License-Identifier: Apache-2.0
// The last page of a run: how it ended, or stands, for people and for machines.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/run_state.h"
#include "render/ink.h"
#include "render/json.h"

namespace espalier {

// For the end of `run`, and for `status`.
struct RunSummary {
  std::string directory;
  const RunSetup& setup;
  const RunState& state;
  std::vector<std::string> next{};  // useful commands
};
std::string summary_text(const RunSummary& summary, const Ink& ink);
Json summary_json(const RunSummary& summary);

}  // namespace espalier
