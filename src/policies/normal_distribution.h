// SPDX-License-Identifier: Apache-2.0
// The normal distribution, with the same bits on every machine.
#pragma once

namespace espalier {

// The probability of a value below `z`, to about 1e-15.
double portable_normal_share_below(double z);

// E[max(0, Z − z)], to about 3e-6: from a table, since policies ask for it in every epoch of every
// run.
double portable_normal_mean_above(double z);

}  // namespace espalier
