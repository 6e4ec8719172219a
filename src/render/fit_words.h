// SPDX-License-Identifier: Apache-2.0
// What reports of fitting call things.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fitting/fit_result.h"

namespace espalier {

std::string_view voice_name(Subject about, Voice voice);
// For machines.
std::string_view voice_key(Subject about, Voice voice);
std::string_view end_name(FitEnd end);

// Table I of the PACT paper.
struct PaperFigures {
  double mae = 0;
  double mil = 0;
  double icp = 0;
};
PaperFigures paper_figures(Subject about);

// "0.0173 ± 0.0031"
std::string spread_text(const MeanDeviation& spread);
// "0.901 ± 0.012"
std::string coverage_text(const MeanDeviation& spread);

// The voice that is used, or nothing where that estimator was not fitted.
const VoiceFigures* used_voice(const EstimatorReport& report);
const VoiceFigures* find_voice(const EstimatorReport& report, Voice voice);

// What is not perfect in the traces, one sentence each.
std::vector<std::string> leftover_sentences(const FitResult& result);
// How good the calibrated ranges are, and what is beaten.
std::vector<std::string> verdict_sentences(Subject about, const EstimatorReport& report);

}  // namespace espalier
