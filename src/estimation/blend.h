// SPDX-License-Identifier: Apache-2.0
// Two estimators as one: for each epoch ahead a mixture, or just the better of the two.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/judgement.h"

namespace espalier {

// The share of the first estimator, from 0 to 1, for each epoch ahead.
using BlendShares = std::array<double, kEpochsAhead>;

// The share with the least mean absolute error; so on these predictions the blend is never worse
// than the better of the two. Exact, O(n log n). With nothing to choose by, half of each. REQUIRES:
// both judged on the same questions, that neither learnt from.
double choose_share(std::span<const Judged> first, std::span<const Judged> second);
BlendShares choose_shares(const JudgedForecasts& first, const JudgedForecasts& second);

// Low, mean and high alike.
LossRange blended(const LossRange& first, const LossRange& second, double share);

// Immutable. Calibrate it afterwards: mixtures of right ranges are not right.
class BlendedEstimator final : public RunEstimator {
 public:
  BlendedEstimator(std::shared_ptr<const RunEstimator> first,
                   std::shared_ptr<const RunEstimator> second, const BlendShares& shares);

  std::vector<Forecast> forecast(std::span<const History> histories) const override;

 private:
  std::shared_ptr<const RunEstimator> first_;
  std::shared_ptr<const RunEstimator> second_;
  BlendShares shares_;
};

}  // namespace espalier
