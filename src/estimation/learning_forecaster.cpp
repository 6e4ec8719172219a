// SPDX-License-Identifier: Apache-2.0
#include "estimation/learning_forecaster.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace espalier {
namespace {

// Forecasts this far ahead are compared with what came: near enough that there are many, far enough
// that a loss has moved.
constexpr std::size_t kRecalledAhead = kEpochsAhead;

HorizonTuning without_network(HorizonTuning tuning) {
  tuning.network_share.fill(0);
  return tuning;
}

}  // namespace

LearningForecaster::LearningForecaster(const Tensors& run, const Tensors& change,
                                       ForecastTuning tuning, const ForecastParts& parts)
    : run_(run), tuning_(std::move(tuning)), power_law_(tuning_.experience), parts_(parts) {
  if (!change.empty()) change_.emplace(change);
  if (!parts_.network) tuning_.horizons = without_network(tuning_.horizons);
}

std::vector<LossesAhead> LearningForecaster::uncorrected(std::span<const History> histories,
                                                         std::size_t epochs) const {
  std::vector<LossesAhead> all = network_ahead(run_.network(), histories, epochs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const LossesAhead law = power_law_.ahead(histories[i], epochs);
    all[i] = blended_ahead(all[i], law, tuning_.horizons);
    if (parts_.calibration) all[i] = adjusted_ahead(std::move(all[i]), tuning_.horizons);
  }
  return all;
}

void LearningForecaster::finish(const History& history, LossesAhead& ranges) const {
  const std::size_t since = history.losses.size() - 1 - history.stage;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    ranges[i] = widened(ranges[i], strangeness(tuning_.seen, history.now, since + i + 1));
    if (!parts_.bounds) continue;
    const double bound = promised_loss(history, static_cast<int>(i + 1));
    ranges[i].high = std::max(ranges[i].high, bound);
  }
}

std::vector<LossesAhead> LearningForecaster::ahead(std::span<const History> histories,
                                                   std::size_t epochs,
                                                   const RunCorrection& correction) const {
  std::vector<LossesAhead> all = uncorrected(histories, epochs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (parts_.correction) {
      all[i] = corrected(std::move(all[i]), histories[i].losses.back(), correction);
    }
    finish(histories[i], all[i]);
  }
  return all;
}

std::vector<LossRange> LearningForecaster::after(std::span<const Pruning> changes) const {
  ESPALIER_CHECK(change_.has_value());
  std::vector<LossRange> ranges = change_->after(changes);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (parts_.calibration) ranges[i] = adjusted(ranges[i], tuning_.change);
    ranges[i] = widened(ranges[i], strangeness_of_pruning(tuning_.seen, changes[i].to));
    if (!parts_.bounds) continue;
    ranges[i].high = std::max(ranges[i].high, promised_loss(changes[i], tuning_.harm));
  }
  return ranges;
}

RunCorrection LearningForecaster::correction(std::span<const RunExample> examples) const {
  std::vector<History> histories;
  for (const RunExample& example : examples) histories.push_back(example.history);
  const std::vector<LossesAhead> said = uncorrected(histories, kRecalledAhead);
  std::vector<Recalled> recalled;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const std::size_t known = std::min(kRecalledAhead, examples[i].next.size());
    if (known == 0) continue;
    recalled.push_back(
        {histories[i].losses.back(), said[i][known - 1], examples[i].next[known - 1]});
  }
  return learn_correction(recalled, tuning_.usual);
}

}  // namespace espalier
