// SPDX-License-Identifier: Apache-2.0
#include "estimation/network_forecast.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/curve_lanes.h"
#include "estimation/network_weights.h"
#include "estimation/random_estimators.h"

namespace espalier {
namespace {

using support::falling_history;
using support::random_change_network;

Tensors run_weights(std::uint64_t seed, float factor = 1) {
  Tensors weights = support::random_run_network(seed);
  for (auto& [name, tensor] : weights) {
    if (!name.ends_with(".weight")) continue;
    for (float& value : tensor.values) value *= factor;
  }
  return weights;
}

std::vector<History> mixed_histories() {
  std::vector<History> histories;
  for (std::size_t i = 0; i < 19; ++i) {
    histories.push_back(falling_history(1 + i * i % 17, 0, 0.04 * static_cast<double>(i)));
    histories.back().stage = histories.back().losses.size() / 2;
  }
  return histories;
}

void expect_ordered(const LossRange& range) {
  EXPECT_GE(range.low, 0);
  EXPECT_LE(range.low, range.mean);
  EXPECT_LE(range.mean, range.high);
  EXPECT_TRUE(std::isfinite(range.high));
}

TEST(NetworkForecast, RangesNeverCrossWhateverTheWeights) {
  const std::vector<History> histories = mixed_histories();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const NetworkRunEstimator estimator(run_weights(seed, seed % 2 == 0 ? 1.0F : 40.0F));
    for (const Forecast& forecast : estimator.forecast(histories)) {
      for (const LossRange& range : forecast) expect_ordered(range);
    }
    const std::vector<Pruning> changes{{0, 0.5, {3, 2, 1, 1, 1}}, {0.5, 0.9, {0, 0, 0, 0, 0}}};
    for (const auto& range : NetworkChangeEstimator(random_change_network(seed)).after(changes)) {
      expect_ordered(range);
    }
  }
}

TEST(NetworkForecast, AForecastDoesNotDependOnItsNeighbours) {
  const std::vector<History> histories = mixed_histories();
  const NetworkRunEstimator estimator(run_weights(1));
  const auto together = estimator.forecast(histories);
  for (std::size_t i = 0; i < histories.size(); ++i) {
    EXPECT_EQ(estimator.forecast(std::span(&histories[i], 1)).front(), together[i]) << i;
  }
}

TEST(NetworkForecast, ReadingOneMoreLossIsReadingTheLongerHistory) {
  const RunNetwork network(run_weights(2));
  std::vector<History> histories = mixed_histories();
  CurveLanes lanes(network, histories);
  for (int k = 0; k < 12; ++k) {
    std::vector<double> losses;
    for (std::size_t i = 0; i < histories.size(); ++i) {
      losses.push_back(histories[i].losses.back() * (0.9 + 0.01 * static_cast<double>(i)));
      histories[i].losses.push_back(losses.back());
    }
    lanes.read(losses);
  }
  std::vector<Forecast> read(lanes.size());
  lanes.forecast(read);
  std::vector<Forecast> anew(lanes.size());
  CurveLanes(network, histories).forecast(anew);
  EXPECT_EQ(read, anew);
}

TEST(NetworkForecast, SeveralEpochsAreReadAsOneAfterTheOther) {
  const RunNetwork network(run_weights(2));
  const std::vector<History> histories = mixed_histories();
  CurveLanes together(network, histories);
  CurveLanes apart = together;
  std::vector<double> losses;
  for (std::size_t i = 0; i < 3 * histories.size(); ++i) {
    losses.push_back(1 / (1 + static_cast<double>(i)));
  }
  together.read(losses);
  for (std::size_t k = 0; k < 3; ++k) {
    apart.read(std::span(losses).subspan(k * histories.size(), histories.size()));
  }
  std::vector<Forecast> one(histories.size());
  std::vector<Forecast> other(histories.size());
  together.forecast(one);
  apart.forecast(other);
  EXPECT_EQ(one, other);
}

TEST(NetworkForecast, RepeatedCurvesLieBesideEachOther) {
  const RunNetwork network(run_weights(3));
  const std::vector<History> histories = mixed_histories();
  const CurveLanes lanes(network, histories);
  std::vector<Forecast> once(lanes.size());
  lanes.forecast(once);
  const CurveLanes members = lanes.repeated(5);
  ASSERT_EQ(members.size(), 5 * histories.size());
  std::vector<Forecast> all(members.size());
  members.forecast(all);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], once[i / 5]) << i;
}

TEST(NetworkForecast, NoHistoriesGiveNoForecasts) {
  EXPECT_TRUE(NetworkRunEstimator(run_weights(1)).forecast({}).empty());
  EXPECT_TRUE(NetworkChangeEstimator(random_change_network(1)).after({}).empty());
}

TEST(NetworkForecast, WhatIsNoHistoryIsRefused) {
  const NetworkRunEstimator estimator(run_weights(1));
  const History empty{};
  const History negative{{1, -1}, {}, 0};
  const History beyond{{1, 1}, {}, 2};
  for (const History& history : {empty, negative, beyond}) {
    EXPECT_THROW(estimator.forecast(std::span(&history, 1)), Error);
  }
}

std::string weights_fault(const Tensors& weights) {
  try {
    NetworkRunEstimator{weights};
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return error.what();
  }
  return "";
}

TEST(NetworkForecast, WeightsOfNoSuchNetworkAreRefused) {
  Tensors weights = run_weights(1);
  EXPECT_EQ(run_shape(weights), RunShape{});
  weights["joined.weight"].values.pop_back();
  EXPECT_EQ(weights_fault(weights),
            "estimator: joined.weight has another shape than the rest of the network");
  weights = run_weights(1);
  weights.erase("lstm.memory.weight");
  EXPECT_EQ(weights_fault(weights), "estimator: lstm.memory.weight is missing");
  weights = run_weights(1);
  weights["extra"] = {};
  EXPECT_EQ(weights_fault(weights), "estimator: extra is unknown");
  weights = run_weights(1);
  weights["output.bias"].values[3] = NAN;
  EXPECT_EQ(weights_fault(weights), "estimator: output.bias has a value that isn't finite");
  weights = run_weights(1);
  weights["losses.deviation"].values[0] = 0;
  EXPECT_EQ(weights_fault(weights), "estimator: losses.deviation has a value that isn't above 0");
  weights = run_weights(1);
  weights["lstm.bias"] = {{0}, {}};
  EXPECT_EQ(weights_fault(weights), "estimator: lstm.bias has an impossible size");
}

}  // namespace
}  // namespace espalier
