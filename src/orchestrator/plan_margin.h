// SPDX-License-Identifier: Apache-2.0
// What the plan says of the round under way: how long it takes, and how much time there is.
#pragma once

#include <optional>

#include "orchestrator/run_state.h"

namespace espalier {

struct PlanMargin {
  Seconds round{};     // that it is planned to take; zero: nothing is said
  double stretch = 1;  // so many times as long as planned all that is left may take, at least 1
  Seconds slack{};     // the time beyond what is planned
};

// For a round that begins at `at`. Nothing where plans say nothing of the clock: before the first
// one, and where nodes are imitated.
std::optional<PlanMargin> margin_of(const RunSetup& setup, const RunState& state, RoundKind kind,
                                    Seconds at);

// The share of a round's samples that the goal needs by the deadline, were every epoch from here on
// to have as many: half at least, since few nodes say little about the data of the others.
// A plan that leaves no time to spare needs all of them.
double needed_share(const std::optional<PlanMargin>& margin);

}  // namespace espalier
