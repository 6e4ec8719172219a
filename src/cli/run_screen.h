// SPDX-License-Identifier: Apache-2.0
// Where a run is told: lines for people, or JSON lines for machines.
#pragma once

#include <string>

#include "cli/commands.h"
#include "orchestrator/narration.h"
#include "orchestrator/run_summary.h"

namespace CLI {
class App;
}

namespace espalier {

// "table" or "jsonl".
void add_run_output_options(CLI::App& command, OutputOptions& options);

// Owned by one thread.
class RunScreen {
 public:
  RunScreen(const Narrator& narrator, const OutputOptions& options);

  bool is_for_machines() const { return for_machines_; }
  const Ink& ink() const { return ink_; }
  const Narrator& narrator() const { return narrator_; }

  void tell(const RunState& before, const RunEvent& event, const RunState& after) const;
  void line(const RunLine& line) const;
  // The last page.
  void end(const RunSummary& summary) const;

 private:
  const Narrator& narrator_;
  bool for_machines_ = false;
  Ink ink_;
};

}  // namespace espalier
