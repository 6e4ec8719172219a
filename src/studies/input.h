// SPDX-License-Identifier: Apache-2.0
// The scenario that a study is about, ready to be planned.
#pragma once

#include <memory>

#include "core/problem.h"
#include "core/scenario.h"
#include "outlook/fitted_beliefs.h"
#include "render/command_words.h"

namespace espalier {

struct Input {
  Scenario scenario;
  Problem estimated;  // biases included
  bool is_biased = false;
  CommandWords words;  // the above, to repeat in hints
  // Where rules come from estimators: how they are renewed on the way. Absent: they are not.
  std::shared_ptr<const FittedBeliefs> beliefs{};
};

// Throws Error{BadInput} if nobody knows yet what an epoch of the scenario costs.
void refuse_unmeasured(const Scenario& scenario, const std::string& file);

}  // namespace espalier
