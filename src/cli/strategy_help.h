// SPDX-License-Identifier: Apache-2.0
// `--strategy help`: what strategies there are.
#pragma once

#include <string>

#include "cli/commands.h"

namespace espalier {

// Instead of the name of a strategy.
bool is_plea_for_help(const std::string& name);

ExitCode list_strategies(const Console& console);

}  // namespace espalier
