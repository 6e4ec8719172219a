// SPDX-License-Identifier: Apache-2.0
// Every strategy, described.
#pragma once

#include <string>
#include <vector>

#include "core/strategy.h"
#include "render/ink.h"

namespace espalier {

std::string strategies_text(const std::vector<StrategyInfo>& strategies, const Ink& ink);
std::string strategies_document(const std::vector<StrategyInfo>& strategies);

}  // namespace espalier
