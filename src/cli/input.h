// SPDX-License-Identifier: Apache-2.0
// The scenario a command works on: a file, with settings and biases on top.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "studies/input.h"

namespace espalier {

struct InputOptions {
  std::string file;
  std::vector<std::string> settings;  // --set
  std::vector<std::string> biases;    // --bias
  std::string fitted;                 // --fitted
};

// Throws Error{BadInput}. `extra` comes after the settings of the options.
Input load_input(const InputOptions& options, const std::vector<Setting>& extra = {});

}  // namespace espalier
