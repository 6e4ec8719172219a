// SPDX-License-Identifier: Apache-2.0
// Estimators whose ranges come true as often as they say.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "estimation/conformal.h"
#include "estimation/estimators.h"

namespace espalier {

using ForecastAdjustment = std::array<Adjustment, kEpochsAhead>;

// Each epoch ahead by itself. `judged` is about runs that the estimator did not learn from.
ForecastAdjustment calibrate(const JudgedForecasts& judged, const ConformalOptions& options = {});

// Ranges of any number of epochs ahead, each by its own adjustment; the last one also serves all
// that are further away. The mean never rises. REQUIRES: an adjustment.
std::vector<LossRange> adjusted(std::vector<LossRange> ranges,
                                std::span<const Adjustment> adjustments);

// Immutable.
class CalibratedRunEstimator final : public RunEstimator {
 public:
  CalibratedRunEstimator(std::shared_ptr<const RunEstimator> raw,
                         const ForecastAdjustment& adjustment);

  std::vector<Forecast> forecast(std::span<const History> histories) const override;

 private:
  std::shared_ptr<const RunEstimator> raw_;
  ForecastAdjustment adjustment_;
};

// Immutable.
class CalibratedChangeEstimator final : public ChangeEstimator {
 public:
  CalibratedChangeEstimator(std::shared_ptr<const ChangeEstimator> raw,
                            const Adjustment& adjustment);

  std::vector<LossRange> after(std::span<const Pruning> changes) const override;

 private:
  std::shared_ptr<const ChangeEstimator> raw_;
  Adjustment adjustment_;
};

}  // namespace espalier
