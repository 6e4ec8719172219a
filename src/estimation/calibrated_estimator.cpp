// SPDX-License-Identifier: Apache-2.0
#include "estimation/calibrated_estimator.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/infinite.h"

namespace espalier {

ForecastAdjustment calibrate(const JudgedForecasts& judged, const ConformalOptions& options) {
  ForecastAdjustment adjustment;
  for (std::size_t h = 0; h < judged.size(); ++h) adjustment[h] = calibrate(judged[h], options);
  return adjustment;
}

std::vector<LossRange> adjusted(std::vector<LossRange> ranges,
                                std::span<const Adjustment> adjustments) {
  ESPALIER_CHECK(!adjustments.empty());
  double lowest = kInfinite;
  for (std::size_t h = 0; h < ranges.size(); ++h) {
    LossRange& range = ranges[h];
    range = adjusted(range, adjustments[std::min(h, adjustments.size() - 1)]);
    // Adjustments differ by chance from one epoch to the next.
    lowest = range.mean = std::min(lowest, range.mean);
    range.low = std::min(range.low, range.mean);
  }
  return ranges;
}

CalibratedRunEstimator::CalibratedRunEstimator(std::shared_ptr<const RunEstimator> raw,
                                               const ForecastAdjustment& adjustment)
    : raw_(std::move(raw)), adjustment_(adjustment) {}

std::vector<Forecast> CalibratedRunEstimator::forecast(std::span<const History> histories) const {
  std::vector<Forecast> forecasts = raw_->forecast(histories);
  for (Forecast& forecast : forecasts) {
    for (std::size_t h = 0; h < forecast.size(); ++h)
      forecast[h] = adjusted(forecast[h], adjustment_[h]);
  }
  return forecasts;
}

CalibratedChangeEstimator::CalibratedChangeEstimator(std::shared_ptr<const ChangeEstimator> raw,
                                                     const Adjustment& adjustment)
    : raw_(std::move(raw)), adjustment_(adjustment) {}

std::vector<LossRange> CalibratedChangeEstimator::after(std::span<const Pruning> changes) const {
  std::vector<LossRange> ranges = raw_->after(changes);
  for (LossRange& range : ranges) range = adjusted(range, adjustment_);
  return ranges;
}

}  // namespace espalier
