// SPDX-License-Identifier: Apache-2.0
// How good predictions were: the figures of the PACT paper's table I.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "estimation/judgement.h"

namespace espalier {

struct Metrics {
  double mae = 0;      // mean absolute error of the mean
  double mil = 0;      // mean interval length: of the 90 % range
  double icp = 0;      // interval coverage: share of losses within the range
  double run_icp = 0;  // the same with every run counting alike, however long
  double above = 0;    // share of losses above the range: beyond the robust estimate
  std::size_t count = 0;
};

// All 0 without a prediction.
Metrics measure(std::span<const Judged> judged);

// For each of the epochs ahead.
std::array<Metrics, kEpochsAhead> measure(const JudgedForecasts& judged);

// Errors and lengths as shares of `range`, for losses of another scale. REQUIRES: range > 0.
Metrics relative_to(double range, const Metrics& metrics);

// From the smallest to the largest loss that belongs to these runs; 0 without any.
double loss_range(std::span<const RunStory> stories);

struct MeanDeviation {
  double mean = 0;
  double deviation = 0;  // of the sample; 0 for one
};

struct MetricsSpread {
  MeanDeviation mae;
  MeanDeviation mil;
  MeanDeviation icp;
  MeanDeviation run_icp;
};

// Over folds, or over folds and epochs ahead. Those without a prediction do not count.
MetricsSpread spread_of(std::span<const Metrics> parts);

}  // namespace espalier
