// SPDX-License-Identifier: Apache-2.0
// What `collect` will do, and what it has done, ready to be told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/units.h"
#include "experiments/assembly.h"
#include "render/ink.h"

namespace espalier {

// The work that a grid makes, and how much of it is done.
struct CollectOutline {
  std::string scenario{};
  std::string folder{};
  std::int64_t experiments = 0;
  std::int64_t epochs_separately = 0;
  std::int64_t epochs = 0;  // that are trained when beginnings are shared
  double saved = 0;         // share
  std::int64_t epochs_known = 0;
  std::int64_t epochs_left = 0;        // those included that only restore a network
  std::optional<Seconds> time_left{};  // with all workers; nothing if nothing is known about it
  std::string times_from{};            // where the times of epochs come from; empty: nowhere
  bool may_end_early = false;          // so that it is time_left at most
  unsigned workers = 1;
};

struct CollectReport {
  enum class State { Planned, Finished, Stopped, Assembled };
  State state = State::Planned;
  CollectOutline outline{};
  std::string traces{};       // file; empty if only planned
  std::string experiments{};  // file; empty unless asked for
  Assembled assembled{};      // of `traces`
};

std::string outline_text(const CollectOutline& outline, const Ink& ink);
std::string collect_text(const CollectReport& report, const Ink& ink);
std::string collect_document(const CollectReport& report);

}  // namespace espalier
