// SPDX-License-Identifier: Apache-2.0
// Examples as the numbers that the networks see and shall answer.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "estimation/examples.h"
#include "estimation/network_inputs.h"
#include "estimation/run_sequence.h"

namespace espalier {

// One row per place of a curve. What isn't known, or isn't to be learned, has no weight.
struct RunTable {
  using Ahead = std::array<float, kEpochsAhead>;
  std::vector<std::array<float, kLossInputs>> losses;
  std::vector<std::array<float, kPlaceInputs>> places;
  std::vector<Ahead> targets;  // change of the loss from this place on, in loss_unit()s
  std::vector<Ahead> weights;  // 1 or 0
};

// REQUIRES: a sequence that check_sequence accepts.
RunTable run_table(const RunSequence& sequence);

struct ChangeTable {
  std::vector<std::array<float, kChangeInputs>> inputs;
  std::vector<float> targets;  // change of the loss
};

ChangeTable change_table(std::span<const ChangeExample> examples);

// Throw Error{BadInput} where a loss isn't finite or below 0, or a stage is beyond its curve.
void check_sequence(const RunSequence& sequence);
void check_example(const ChangeExample& example);

}  // namespace espalier
