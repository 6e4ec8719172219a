// SPDX-License-Identifier: Apache-2.0
// How soon a run shall be believed to be unusual: what would have been best for the runs that
// judged.
#pragma once

#include "estimation/run_correction.h"
#include "fitting/answers.h"

namespace espalier {

// Relives each run with different counts, correcting what the calibrated voice said by what had
// come until then. Of some counts, from those that believe a run at once to those that never do:
// for falls the one with the least mean errors, for widths the one with the least interval scores,
// all horizons counting alike. O(answers · kMostRecalled).
UsualCounts choose_usual_counts(const AnswersAhead& answers);

}  // namespace espalier
