// SPDX-License-Identifier: Apache-2.0
// The paper's table I: how good estimators are on seeds that they never saw.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "estimation/learning_forecaster.h"
#include "estimation/metrics.h"
#include "evidence/seed_split.h"

namespace espalier {

struct SubjectAccuracy {
  MetricsSpread spread{};  // mean ± deviation over splits and, of runs, 1 to 5 epochs ahead
  Metrics pooled{};
  double naive_mae = 0;  // of the last difference going on; of nothing happening
};

struct EstimatorAccuracy {
  SubjectAccuracy run{};
  std::optional<SubjectAccuracy> change{};
};

// REQUIRES: one forecaster for each split.
EstimatorAccuracy measure_estimators(std::span<const SeedSplit> splits,
                                     std::span<const LearningForecaster> forecasters);

}  // namespace espalier
