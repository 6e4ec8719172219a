// SPDX-License-Identifier: Apache-2.0
// From traces to estimators, and to how good they are.
//
// Runs are dealt out to folds. Of each fold the networks learn from the other folds' runs and are
// judged by its own, beside everybody whom they have to beat; blending and calibration of a fold
// follow from the other folds' judgements. The networks that are kept learn from all runs, and are
// blended and calibrated by all judgements: of networks that learnt from a little less, so the
// ranges are rather too wide than too narrow. All begin from the same weights, so that what is
// learnt of the mistakes of one holds for the others.
#pragma once

#include <optional>

#include "estimation/trace_stories.h"
#include "fitting/fit_result.h"
#include "fitting/fitting_options.h"

namespace espalier {

// Nothing if it was stopped. Deterministic: the same stories and options give the same result, with
// any number of workers. Throws Error{BadInput} that says what is missing where too little can be
// learnt from, and what the fitters throw.
std::optional<FitResult> fit(const TraceStories& traces, const FittingOptions& options,
                             const Fitters& fitters, const FittingWatch& watch);

}  // namespace espalier
