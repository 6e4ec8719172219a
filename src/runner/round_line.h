// SPDX-License-Identifier: Apache-2.0
// The round under way: a line that changes on a terminal, rare plain ones elsewhere.
#pragma once

#include <optional>
#include <string>

#include "cli/progress.h"
#include "orchestrator/orchestrator.h"

namespace espalier {

// Since when somebody looks: a run that is resumed may be in the middle of a round.
struct Watched {
  double done = 0;  // by then
  Seconds time{};   // since then
};

// How far it is, and how long still: "epoch 4 · S on bronze · 62 % trained, about 4 s left".
std::string round_text(const RunSetup& setup, const RoundProgress& now, Watched since);

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
  double done_before_ = 0;
  std::string said_;
  std::optional<ProgressLine> line_;
};

}  // namespace espalier
