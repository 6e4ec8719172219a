// SPDX-License-Identifier: Apache-2.0
// A run in this process, from where its journal stands to its end.
#pragma once

#include <vector>

#include "cli/run_screen.h"
#include "cli/run_settings.h"
#include "orchestrator/journal.h"

namespace espalier {

// `began`: what there is to say of a run that begins. REQUIRES: the folder is locked. Throws Error
// where the outside world does not play along; the run can be resumed then.
ExitCode carry_on(const RunDirectory& directory, const LoadedRun& run,
                  const std::vector<RunEvent>& past, const OutputOptions& output,
                  const RunBegan& began = {});

ExitCode exit_of(Ending ending);

}  // namespace espalier
