// SPDX-License-Identifier: Apache-2.0
#include "estimation/naive_estimator.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "estimation/normal95.h"

namespace espalier {
namespace {

// As long as the rule was never tried: its error of one epoch, as a share of the loss.
constexpr double kFirstGuess = 0.1;

using Losses = std::span<const double>;

double last_difference(Losses losses) {
  return losses.size() < 2 ? 0 : losses.back() - losses[losses.size() - 2];
}

// Root mean square error of the rule one epoch ahead. One made-up error of the first guess counts
// as well, so that a single lucky one does not look like certainty.
double error_so_far(Losses losses) {
  double root = kFirstGuess * losses.back();
  double count = 1;
  for (std::size_t i = 2; i < losses.size(); ++i, ++count)
    root = std::hypot(root, losses[i] - 2 * losses[i - 1] + losses[i - 2]);
  return root / std::sqrt(count);
}

// An error in one epoch's difference is repeated in all that follow: 1² + 2² + … + h².
double growth(double h) { return std::sqrt(h * (h + 1) * (2 * h + 1) / 6); }

LossRange range_at(Losses losses, double error, double h) {
  const double mean = std::max(0.0, losses.back() + h * last_difference(losses));
  const double spread = kNormal95 * error * growth(h);
  return {std::max(0.0, mean - spread), mean, mean + spread};
}

}  // namespace

std::vector<LossRange> NaiveEstimator::ahead(const History& history, std::size_t epochs) const {
  ESPALIER_CHECK(history.stage < history.losses.size());
  const Losses losses = Losses(history.losses).subspan(history.stage);
  const double error = error_so_far(losses);
  std::vector<LossRange> ranges;
  for (std::size_t i = 0; i < epochs; ++i)
    ranges.push_back(range_at(losses, error, static_cast<double>(i + 1)));
  return ranges;
}

std::vector<Forecast> NaiveEstimator::forecast(std::span<const History> histories) const {
  std::vector<Forecast> forecasts(histories.size());
  for (std::size_t i = 0; i < histories.size(); ++i)
    std::ranges::copy(ahead(histories[i], kEpochsAhead), forecasts[i].begin());
  return forecasts;
}

}  // namespace espalier
