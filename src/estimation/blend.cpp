// SPDX-License-Identifier: Apache-2.0
#include "estimation/blend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "estimation/conformal.h"

namespace espalier {

// The error of one prediction is |d|·|share − t|, where d is how far the two are apart and t the
// share that would have been right. A sum of those is least at the median of the t, weighted by
// |d|.
double choose_share(std::span<const Judged> first, std::span<const Judged> second) {
  ESPALIER_CHECK(first.size() == second.size());
  std::vector<Score> right_shares;
  double sum = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    ESPALIER_CHECK(first[i].came == second[i].came);
    const double apart = first[i].said.mean - second[i].said.mean;
    if (apart == 0) continue;
    const double right = (first[i].came - second[i].said.mean) / apart;
    right_shares.push_back({std::clamp(right, 0.0, 1.0), std::abs(apart)});
    sum += std::abs(apart);
  }
  return quantile_by_mass(std::move(right_shares), sum / 2).value_or(0.5);
}

BlendShares choose_shares(const JudgedForecasts& first, const JudgedForecasts& second) {
  BlendShares shares{};
  for (std::size_t h = 0; h < shares.size(); ++h) shares[h] = choose_share(first[h], second[h]);
  return shares;
}

LossRange blended(const LossRange& first, const LossRange& second, double share) {
  const auto mix = [&](double a, double b) { return share * a + (1 - share) * b; };
  return in_order(
      {mix(first.low, second.low), mix(first.mean, second.mean), mix(first.high, second.high)});
}

BlendedEstimator::BlendedEstimator(std::shared_ptr<const RunEstimator> first,
                                   std::shared_ptr<const RunEstimator> second,
                                   const BlendShares& shares)
    : first_(std::move(first)), second_(std::move(second)), shares_(shares) {}

std::vector<Forecast> BlendedEstimator::forecast(std::span<const History> histories) const {
  std::vector<Forecast> forecasts = first_->forecast(histories);
  const std::vector<Forecast> others = second_->forecast(histories);
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    for (std::size_t h = 0; h < shares_.size(); ++h)
      forecasts[i][h] = blended(forecasts[i][h], others[i][h], shares_[h]);
  }
  return forecasts;
}

}  // namespace espalier
