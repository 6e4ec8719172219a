// SPDX-License-Identifier: Apache-2.0
#include "estimation/power_law_estimator.h"

#include <algorithm>

#include "core/error.h"

namespace espalier {

std::vector<LossRange> PowerLawEstimator::ahead(const History& history, std::size_t epochs) const {
  ESPALIER_CHECK(history.stage < history.losses.size());
  const auto stage = std::span<const double>(history.losses).subspan(history.stage);
  const bool is_fresh = history.stage == 0;
  return PowerLawBelief(stage, is_fresh ? experience_.fresh : experience_.changed).ahead(epochs);
}

std::vector<Forecast> PowerLawEstimator::forecast(std::span<const History> histories) const {
  std::vector<Forecast> forecasts(histories.size());
  for (std::size_t i = 0; i < histories.size(); ++i) {
    const std::vector<LossRange> ranges = ahead(histories[i], kEpochsAhead);
    std::copy(ranges.begin(), ranges.end(), forecasts[i].begin());
  }
  return forecasts;
}

}  // namespace espalier
