// SPDX-License-Identifier: Apache-2.0
// Predicts how learning goes on from the history at hand alone: a power law with an offset, fitted
// anew each time (power_law_belief.h). Needs no traces, but learns to begin well from them
// (power_law_experience.h).
#pragma once

#include <cstddef>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/power_law_belief.h"

namespace espalier {

// What is expected of a fresh network, and of one that was changed: pruned, or met other data.
struct PowerLawExperience {
  PowerLawPriors fresh{};
  PowerLawPriors changed{};
};

// Immutable.
class PowerLawEstimator final : public RunEstimator {
 public:
  explicit PowerLawEstimator(const PowerLawPriors& priors = {}) : experience_{priors, priors} {}
  explicit PowerLawEstimator(const PowerLawExperience& experience) : experience_(experience) {}

  std::vector<Forecast> forecast(std::span<const History> histories) const override;

  // Any horizon: one range for each of the next epochs.
  std::vector<LossRange> ahead(const History& history, std::size_t epochs) const;

 private:
  PowerLawExperience experience_;
};

}  // namespace espalier
