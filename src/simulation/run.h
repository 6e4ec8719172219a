// SPDX-License-Identifier: Apache-2.0
// One run of a strategy against the truth: decide, train an epoch, observe, decide again.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/strategy.h"
#include "realisations/truth.h"

namespace espalier {

// Closed: the strategy decides anew after every epoch. Open: its first plan is followed to its end.
enum class Loop { Closed, Open };

struct RunOptions {
  Loop loop = Loop::Closed;
  // A run that is longer ends as missed; a guard against strategies that never finish.
  int max_epochs = 100'000;
};

enum class RunEnd {
  Reached,         // the goal holds
  DeadlinePassed,  // no further epoch fits before the deadline
  NothingToSay,    // the strategy had no plan, not even a last resort
  EpochLimit,      // RunOptions::max_epochs
  Stopped,         // asked to stop
};

// Something a planner said, and how often it said so.
struct CountedNote {
  std::string text;
  int count = 0;
};

struct RunRecord {
  Plan course;  // what happened: true losses
  RunEnd end = RunEnd::NothingToSay;
  int switches = 0;
  int plans = 0;      // how often the strategy was asked
  int fallbacks = 0;  // how often its answer did not reach the goal by its own estimate
  std::vector<CountedNote> notes;

  bool reached() const { return end == RunEnd::Reached; }
};

// `estimated` is what the planner was made for; goal and start are taken from it.
RunRecord simulate_run(const Problem& estimated, const Truth& truth, Planner& planner,
                       const RunOptions& options = {}, std::stop_token stop = {});

}  // namespace espalier
