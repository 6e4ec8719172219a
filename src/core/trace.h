// SPDX-License-Identifier: Apache-2.0
// What was observed while something was trained: one row for each step.
#pragma once

#include <cstdint>
#include <string>

#include "core/units.h"

namespace espalier {

enum class TraceEvent {
  Start,     // a fresh network, before its first epoch
  Epoch,     // one epoch was trained
  Prune,     // the network was pruned where it is
  HandOver,  // the network came to another node set, and was not trained there yet
};

struct TraceRow {
  std::string
      run{};  // rows of one run follow each other; docs/collecting.md tells what comes before
  std::uint64_t seed = 0;
  int epoch = 0;  // epochs since the fresh network, this one included
  std::string model{};
  std::string nodes{};
  double prune = 0;  // share of the full network's channels that is gone, after the step
  std::int64_t samples = 0;
  int classes = 0;
  Loss loss{};      // after the step, on the node set's own samples
  Loss val_loss{};  // the same on samples that nobody trains on
  Seconds time{};   // of this step alone
  Joules energy{};  // of this step alone
  TraceEvent event = TraceEvent::Epoch;
  friend bool operator==(const TraceRow&, const TraceRow&) = default;
};

}  // namespace espalier
