// SPDX-License-Identifier: Apache-2.0
// Where a test wants the process to die.
#pragma once

#include "orchestrator/checkpoints.h"
#include "orchestrator/journal.h"

namespace espalier {

// The environment variable ESPALIER_CRASH_AT names a moment: "before:17" and "after:17" are those
// around the 17th row of the journal, "checkpoint:3" is the middle of the third checkpoint. There
// the process is killed as by kill -9. Without the variable nothing happens.
void set_crash_points(Journal& journal, Checkpoints& checkpoints);

}  // namespace espalier
