// SPDX-License-Identifier: Apache-2.0
// The least that an estimator must beat: the last difference goes on.
#pragma once

#include <cstddef>
#include <vector>

#include "estimation/estimators.h"

namespace espalier {

// The mean is the last loss plus the last difference once per epoch, never below 0. The range
// follows from how wrong that rule was so far, summed up over the epochs ahead. Immutable.
class NaiveEstimator final : public RunEstimator {
 public:
  std::vector<Forecast> forecast(std::span<const History> histories) const override;

  // Any horizon: one range for each of the next epochs.
  std::vector<LossRange> ahead(const History& history, std::size_t epochs) const;
};

}  // namespace espalier
