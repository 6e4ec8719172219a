// SPDX-License-Identifier: Apache-2.0
// Commands that train for real, with nodes here or elsewhere.
#pragma once

#include "cli/commands.h"

namespace espalier {

void add_real_run_command(CLI::App& app, Invocation& call);
void add_real_resume_command(CLI::App& app, Invocation& call);

}  // namespace espalier
