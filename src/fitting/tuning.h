// SPDX-License-Identifier: Apache-2.0
// Blends and calibrates what was said, so that no loss has a say in its own judgement: what is done
// to the answers of a fold follows from those of all other folds.
#pragma once

#include <cstddef>

#include "estimation/conformal.h"
#include "fitting/answers.h"

namespace espalier {

struct TuningOptions {
  // Of what the calibrated ranges come true on average.
  Average average = Average::OverRuns;
  // Without, the network alone is calibrated.
  bool blends = true;
};

// At one horizon.
struct Tuning {
  double network_share = 1;  // the rest is the rule's
  Adjustment adjustment{};
};

// The share with the least error, and what makes the blend come true.
Tuning tune(const Answers& answers, const TuningOptions& options);

// Blended, then calibrated.
Said tuned(Said said, const Tuning& tuning);

// Fills in what the blend and the calibrated one say, each fold tuned by all others.
void tune_across_folds(Answers& answers, std::size_t folds, const TuningOptions& options);

}  // namespace espalier
