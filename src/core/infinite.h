// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace espalier {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace espalier
