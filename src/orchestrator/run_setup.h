// SPDX-License-Identifier: Apache-2.0
// What a run is about: fixed from its first moment to its last, whatever process carries it on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/problem.h"
#include "core/scenario.h"
#include "wire/names.h"

namespace espalier {

// Whose figures are the time and energy of an epoch: those of the scenario, where nodes are
// imitated on one machine, or what nodes and orchestrator measured.
enum class Accounting { Modelled, Measured };

// A node that is to take part.
struct ExpectedNode {
  NodeName name;
  NodeSetId nodes{};
  std::int64_t samples = 0;  // that the scenario says it has
};

struct Patience {
  // How long to wait for nodes that are expected; and at least, in a round, for those who are late:
  // all of it where nodes are imitated, a tenth where a plan tells what time there is.
  Seconds wait{30};
  // How long a run without any node goes on waiting for one.
  Seconds give_up{60};
  // So often a round is begun before its node set counts as broken.
  int attempts = 3;
};

// Immutable.
struct RunSetup {
  std::string run;    // a wire name
  Scenario scenario;  // has `training` and a run table
  Problem problem;    // as it is believed at the start, without moves that cannot be made for real
  std::uint64_t seed = 1;
  Accounting accounting = Accounting::Modelled;
  std::vector<ExpectedNode> expected{};  // by name
  bool may_join = false;                 // nodes that are not expected, too
  int distil_epochs = 0;                 // after each pruning
  Patience patience{};

  const TrainingSpec& training() const { return *scenario.training; }
};

// The nodes that a scenario names; where it names none, "gold-1", "gold-2", … of each set.
std::vector<ExpectedNode> expected_nodes(const Scenario& scenario);
// Whether it names any.
bool names_agents(const Scenario& scenario);

// `problem` without switches to a model that has channels which the one before has lost.
Problem without_growing(const Problem& problem, const Scenario& scenario);

}  // namespace espalier
