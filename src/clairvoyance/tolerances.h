// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace espalier {

// Plans closer to the bound than this (relative) count as proved.
inline constexpr double kClosed = 1e-9;
// Sums in another order may differ by so much (relative).
inline constexpr double kRounding = 1e-12;

}  // namespace espalier
