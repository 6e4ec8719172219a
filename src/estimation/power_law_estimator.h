// SPDX-License-Identifier: Apache-2.0
// Predicts how learning goes on from the history at hand alone: a power law with an offset, fitted
// anew each time (power_law_belief.h). Needs no traces.
#pragma once

#include <cstddef>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/power_law_belief.h"

namespace espalier {

// Immutable.
class PowerLawEstimator final : public RunEstimator {
 public:
  explicit PowerLawEstimator(const PowerLawPriors& priors = {}) : priors_(priors) {}

  std::vector<Forecast> forecast(std::span<const History> histories) const override;

  // Any horizon: one range for each of the next epochs.
  std::vector<LossRange> ahead(const History& history, std::size_t epochs) const;

 private:
  PowerLawPriors priors_;
};

}  // namespace espalier
