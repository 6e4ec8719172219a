// SPDX-License-Identifier: Apache-2.0
// The scenario a command works on: a file, with settings and biases on top.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "core/problem.h"
#include "core/scenario.h"
#include "outlook/fitted_beliefs.h"
#include "render/command_words.h"

namespace espalier {

struct InputOptions {
  std::string file;
  std::vector<std::string> settings;  // --set
  std::vector<std::string> biases;    // --bias
  std::string fitted;                 // --fitted
};

struct Input {
  Scenario scenario;
  Problem estimated;  // biases included
  bool is_biased = false;
  CommandWords words;  // the above, to repeat in hints
  // Where rules come from estimators: how they are renewed on the way. Absent: they are not.
  std::shared_ptr<const FittedBeliefs> beliefs{};
};

// Throws Error{BadInput}. `extra` comes after the settings of the options.
Input load_input(const InputOptions& options, const std::vector<Setting>& extra = {});

}  // namespace espalier
