// SPDX-License-Identifier: Apache-2.0
// The pictures of a report of fitting, as SVG.
#pragma once

#include <string>

#include "fitting/fit_result.h"

namespace espalier {

// How often losses were within ranges of each level, raw and calibrated.
std::string reliability_svg(Subject about, const EstimatorReport& report);

// The same for the 90 % range at each horizon, beside the lengths of the ranges.
std::string coverage_svg(const EstimatorReport& report);
std::string lengths_svg(const EstimatorReport& report);

// A run as it was, and as it was predicted.
std::string sample_svg(const SampleCurve& sample);

}  // namespace espalier
