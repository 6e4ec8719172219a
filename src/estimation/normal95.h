// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace espalier {

// The 0.95 quantile of the standard normal distribution.
inline constexpr double kNormal95 = 1.6448536269514722;

}  // namespace espalier
