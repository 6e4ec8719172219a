// SPDX-License-Identifier: Apache-2.0
// From answers to what reports tell of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fitting/answers.h"
#include "fitting/fit_result.h"

namespace espalier {

// Horizons up to kEpochsAhead are near: table I is about them.
std::size_t near_horizons(const AnswersAhead& answers);

// A row for each of these voices.
std::vector<VoiceFigures> voice_figures(const AnswersAhead& answers, std::size_t folds,
                                        std::span<const Voice> voices);

// 10 % to 90 %, near horizons together.
std::vector<Reliability> reliability_of(const AnswersAhead& answers);

struct Missed {
  std::size_t horizon = 0;  // position
  HeldOut answer{};
};

// The near predictions of the calibrated one that were furthest off, at most one for each run.
std::vector<Missed> worst_misses(const AnswersAhead& answers, std::size_t count);

// From the smallest to the largest loss that came.
double range_of_losses(const AnswersAhead& answers);

// Some runs of different kinds, with some starts each.
std::vector<SampleCurve> sample_curves(std::span<const RunStory> stories,
                                       const AnswersAhead& answers, std::size_t count);

}  // namespace espalier
