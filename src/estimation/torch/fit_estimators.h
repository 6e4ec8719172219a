// SPDX-License-Identifier: Apache-2.0
// Fits the networks that estimate, with libtorch: Adam on squared plus tilted errors, until the
// validation part gets no better. network_forecast.h makes estimators of their weights.
//
// Deterministic: the same examples, options and build give the same bits. Thread-safe: several fits
// may run at once, each in its own thread, on one core each.
#pragma once

#include <cstddef>
#include <span>

#include "estimation/examples.h"
#include "estimation/fit_options.h"
#include "estimation/run_sequence.h"

namespace espalier {

struct RunSequences {
  std::span<const RunSequence> learned;
  std::span<const RunSequence> validation;  // of other runs: nothing else tells when to stop
};

struct ChangeExamples {
  std::span<const ChangeExample> learned;
  std::span<const ChangeExample> validation;
};

// With fewer there is nothing to tell chance from rule.
inline constexpr std::size_t kFewestLearned = 4;

// Throw Error{BadInput} where there are too few examples or one holds what is no loss,
// Error{RunFailed} where libtorch fails or in a build without it. Sequences that no loss follows
// don't count.
FittedNetwork fit_run_estimator(const RunSequences& sequences, const FitOptions& options,
                                const FitWatch& watch);
FittedNetwork fit_change_estimator(const ChangeExamples& examples, const FitOptions& options,
                                   const FitWatch& watch);

}  // namespace espalier
