// SPDX-License-Identifier: Apache-2.0
#include "estimation/network_rollout.h"

#include <cmath>

#include <gtest/gtest.h>

#include "estimation/network_forecast.h"
#include "estimation/random_estimators.h"

namespace espalier {
namespace {

const NetworkRunEstimator& some_network() {
  static const NetworkRunEstimator estimator(support::random_run_network(3));
  return estimator;
}

TEST(NetworkRollout, BeginsWithWhatTheNetworkForecasts) {
  const std::vector histories{support::falling_history(20, 4, 0.25),
                              support::falling_history(3, 0, 0.5)};
  const auto ahead = network_ahead(some_network().network(), histories, 12);
  const auto forecasts = some_network().forecast(histories);
  for (std::size_t i = 0; i < histories.size(); ++i) {
    ASSERT_EQ(ahead[i].size(), 12);
    for (std::size_t h = 0; h < kEpochsAhead; ++h) {
      EXPECT_DOUBLE_EQ(ahead[i][h].mean, forecasts[i][h].mean);
      EXPECT_NEAR(ahead[i][h].high, forecasts[i][h].high, 1e-12);
    }
  }
}

TEST(NetworkRollout, GoesOnAsIfItsMeansHadCome) {
  History history = support::falling_history(10, 0, 0.5);
  const auto ahead = network_ahead(some_network().network(), std::span(&history, 1), 10).front();
  for (std::size_t h = 0; h < kEpochsAhead; ++h) history.losses.push_back(ahead[h].mean);
  const Forecast later = some_network().forecast(std::span(&history, 1)).front();
  for (std::size_t h = 0; h < kEpochsAhead; ++h) {
    EXPECT_NEAR(ahead[kEpochsAhead + h].mean, later[h].mean, 1e-6);
  }
}

TEST(NetworkRollout, WhatIsUnsureStaysUnsure) {
  const History history = support::falling_history(10, 0, 0.5);
  const auto ahead = network_ahead(some_network().network(), std::span(&history, 1), 203).front();
  ASSERT_EQ(ahead.size(), 203);
  for (std::size_t h = kEpochsAhead; h < ahead.size(); ++h) {
    const LossRange& before = ahead[h / kEpochsAhead * kEpochsAhead - 1];
    EXPECT_GE(ahead[h].high - ahead[h].mean, before.high - before.mean - 1e-12) << h;
    EXPECT_TRUE(std::isfinite(ahead[h].high));
    EXPECT_GE(ahead[h].low, 0);
  }
}

}  // namespace
}  // namespace espalier
