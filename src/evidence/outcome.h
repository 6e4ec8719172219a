// SPDX-License-Identifier: Apache-2.0
// What came of one try at one goal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/problem.h"
#include "simulation/run.h"

namespace espalier {

struct OutcomeStep {
  double time = 0;
  double loss = 0;
  double energy = 0;
};

struct OutcomeStage {
  std::string model{};
  int epochs = 0;
  double energy = 0;  // its change included
  friend bool operator==(const OutcomeStage&, const OutcomeStage&) = default;
};

struct TryOutcome {
  std::string regime{};
  std::string contender{};
  double target = 0;
  std::uint64_t seed = 0;
  bool reached = false;
  double energy = 0;
  double time = 0;
  double loss = 0;
  int epochs = 0;
  int untraced_epochs = 0;
  std::vector<OutcomeStage> stages{};
  std::vector<OutcomeStep> steps{};

  // Epochs after which it changed, the first change first.
  std::vector<int> switch_epochs() const;
  double energy_on(const std::string& model) const;
};

// The figures of a record; who, where and when are left empty.
TryOutcome outcome_of(const Problem& problem, const RunRecord& record);

}  // namespace espalier
