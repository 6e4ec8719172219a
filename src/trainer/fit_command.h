// SPDX-License-Identifier: Apache-2.0
// The command `fit`, as espalier-trainer carries it out.
#pragma once

#include "cli/commands.h"
#include "core/clock.h"
#include "fitting/fitting_options.h"

namespace espalier {

// What the command works with; chosen where the program starts.
struct FitTools {
  Fitters fitters;
  const Clock& clock;
};

// `tools` must outlive the app.
void add_real_fit_command(CLI::App& app, Invocation& call, const FitTools& tools);

}  // namespace espalier
