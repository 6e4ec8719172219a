// SPDX-License-Identifier: Apache-2.0
// The round under way: a line that changes on a terminal, rare plain ones elsewhere.
#pragma once

#include <optional>
#include <string>

#include "cli/progress.h"
#include "orchestrator/orchestrator.h"

namespace espalier {

// How far it is, and how long still: "epoch 4 · S on bronze · 62 % trained, about 4 s left".
// `time` is that since the round began.
std::string round_text(const RunSetup& setup, const RoundProgress& now, Seconds time);

// Owned by one thread.
class RoundLine {
 public:
  explicit RoundLine(const RunSetup& setup) : setup_(setup) {}

  void show(const std::optional<RoundProgress>& now);
  // Makes room for other lines.
  void hide();

 private:
  const RunSetup& setup_;
  std::optional<TaskId> round_;
  std::optional<ProgressLine> line_;
};

}  // namespace espalier
