// SPDX-License-Identifier: Apache-2.0
// One run of a strategy against the truth: decide, train an epoch, observe, decide again.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/strategy.h"
#include "simulation/counted_notes.h"
#include "simulation/outlook.h"
#include "simulation/reality.h"

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

struct RunRecord {
  Plan course;  // what happened: true losses
  RunEnd end = RunEnd::NothingToSay;
  int switches = 0;
  int plans = 0;           // how often the strategy was asked
  int fallbacks = 0;       // how often its answer did not reach the goal by its own estimate
  int unknown_epochs = 0;  // of which nobody knows what they would have done
  std::vector<CountedNote> notes;

  bool reached() const { return end == RunEnd::Reached; }
};

// `estimated` is what the planner was made for; goal and start are taken from it.
RunRecord simulate_run(const Problem& estimated, Reality& reality, Planner& planner,
                       const RunOptions& options = {}, std::stop_token stop = {});

// A strategy, and how it is to plan. Borrowed.
struct Deciding {
  const Strategy& strategy;
  const PlannerOptions& planning;
};

// With estimates that are renewed after every epoch: each decision is that of a fresh planner for
// what is believed by then. In an open loop, and by a strategy that commits, the plan for what was
// believed first is followed to its end. Goal, start and costs are those of `estimated`.
RunRecord simulate_run(const Problem& estimated, Reality& reality, Outlook& outlook,
                       const Deciding& deciding, const RunOptions& options = {},
                       std::stop_token stop = {});

}  // namespace espalier
