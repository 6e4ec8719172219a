// SPDX-License-Identifier: Apache-2.0
// Single records of a report.
#pragma once

#include <cstddef>
#include <span>

#include "fitting/figures.h"
#include "fitting/fit_parts.h"
#include "fitting/fit_result.h"

namespace espalier {

WorstCase worst_case(std::span<const RunStory> stories, const Missed& missed, std::size_t ahead);

NetworkFit network_fit(const FitParts& parts, const FittedNetwork& network);

}  // namespace espalier
