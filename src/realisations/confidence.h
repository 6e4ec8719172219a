// SPDX-License-Identifier: Apache-2.0
// How sure a frequency is.
#pragma once

#include <cstddef>

#include "core/chance.h"

namespace espalier {

// The Clopper–Pearson interval: covers the true probability at least with `confidence`, whatever it
// is. REQUIRES: 0 ≤ hits ≤ trials, trials > 0.
Interval clopper_pearson(std::size_t hits, std::size_t trials, double confidence = 0.95);

// x with I_x(a, b) = q: the q-quantile of the beta distribution. REQUIRES: a, b > 0; q in [0, 1].
double beta_quantile(double a, double b, double q);

}  // namespace espalier
