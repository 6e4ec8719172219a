// SPDX-License-Identifier: Apache-2.0
// How well courses that were not traced are replayed: traced changes are left out, with all that
// grew from them, and replayed from the rest.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/trace.h"

namespace espalier {

// A real run that was left out, and what replaying it from others says.
struct ReplayedRun {
  std::string run{};
  bool is_between = false;  // the change that was left out lies between two that were not
  double target = 0;
  int real_epochs = 0;      // since the fresh network, until the loss is at the target
  int replayed_epochs = 0;  // one more than were traced if it never is
  // Of the whole course, as a share of the real epochs.
  double error() const;
};

struct ReplayAccuracy {
  std::vector<ReplayedRun> runs{};
  std::size_t left_out = 0;  // runs, of any target
};

ReplayAccuracy measure_replay(const std::vector<TraceRow>& rows, std::span<const double> targets,
                              unsigned workers);

// Of those between two, or of the others; nothing if there are none.
std::optional<double> median_replay_error(const ReplayAccuracy& accuracy, bool between);

}  // namespace espalier
