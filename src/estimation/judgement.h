// SPDX-License-Identifier: Apache-2.0
// Predictions beside what really came: what calibration learns from and metrics are made of.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/learning_examples.h"
#include "estimation/power_law_estimator.h"

namespace espalier {

struct Judged {
  LossRange said;
  double came = 0;
  // Which run it belongs to: any number. Runs are independent, what is within one is not.
  std::size_t run = 0;
  // Where runs of one family are not independent either: which one.
  std::optional<std::size_t> family{};

  std::size_t independent() const { return family.value_or(run); }
};

// For each of the epochs ahead.
using JudgedForecasts = std::array<std::vector<Judged>, kEpochsAhead>;

struct RunQuestion {
  std::size_t run = 0;
  std::span<const RunExample> examples{};
};
struct ChangeQuestion {
  std::size_t run = 0;
  std::span<const ChangeExample> examples{};
};

// Asks the estimator once for all. REQUIRES: the estimator did not learn from these runs.
JudgedForecasts judge(const RunEstimator& estimator, std::span<const RunQuestion> questions);
std::vector<Judged> judge(const ChangeEstimator& estimator,
                          std::span<const ChangeQuestion> questions);
// So many epochs ahead: as far as the examples' next losses go.
std::vector<std::vector<Judged>> judge_ahead(const PowerLawEstimator& estimator,
                                             std::span<const RunQuestion> questions,
                                             std::size_t epochs);

}  // namespace espalier
