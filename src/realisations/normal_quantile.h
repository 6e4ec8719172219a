// SPDX-License-Identifier: Apache-2.0
// The inverse of the standard normal distribution function for q in (0, 1), to about 1e-15: the
// same bits on every machine, unlike normal_quantile(), which calls the C library.
#pragma once

#include <span>

namespace espalier {

double portable_normal_quantile(double q);

// The same bits for each of many, in place.
void portable_normal_quantiles(std::span<double> values);

}  // namespace espalier
