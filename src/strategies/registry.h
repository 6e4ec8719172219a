// SPDX-License-Identifier: Apache-2.0
// Every strategy there is. Adding one adds its pair of files and one line in registry.cpp.
#pragma once

#include <span>
#include <string_view>

#include "core/strategy.h"

namespace espalier {

// In the order in which people should meet them.
std::span<const Strategy* const> all_strategies();

// Throws Error{BadInput} with a suggestion if there is none of that name.
const Strategy& strategy_named(std::string_view name);

}  // namespace espalier
