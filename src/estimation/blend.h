// SPDX-License-Identifier: Apache-2.0
// Two estimators as one: for each epoch ahead a mixture, or just the better of the two.
#pragma once

#include <span>

#include "estimation/estimators.h"
#include "estimation/judgement.h"

namespace espalier {

// The share with the least mean absolute error; so on these predictions the blend is never worse
// than the better of the two. Exact, O(n log n). With nothing to choose by, half of each. REQUIRES:
// both judged on the same questions, that neither learnt from.
double choose_share(std::span<const Judged> first, std::span<const Judged> second);

// Low, mean and high alike. Calibrate it afterwards: mixtures of right ranges are not right.
LossRange blended(const LossRange& first, const LossRange& second, double share);

}  // namespace espalier
