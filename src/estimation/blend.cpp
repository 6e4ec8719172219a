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

LossRange blended(const LossRange& first, const LossRange& second, double share) {
  const auto mix = [&](double a, double b) { return share * a + (1 - share) * b; };
  return in_order(
      {mix(first.low, second.low), mix(first.mean, second.mean), mix(first.high, second.high)});
}

}  // namespace espalier
