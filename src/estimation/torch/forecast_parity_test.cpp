// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "estimation/curve_lanes.h"
#include "estimation/fresh_estimator.h"
#include "estimation/network_forecast.h"
#include "estimation/torch/synthetic_curves.h"
#include "estimation/torch/torch_estimators.h"

namespace espalier {
namespace {

Tensors random_run(std::uint64_t seed, std::int64_t hidden = 32) {
  std::vector<RunTable> tables;
  for (const RunSequence& curve : support::synthetic_curves(0, 9)) {
    tables.push_back(run_table(curve));
  }
  return fresh_weights({.hidden = hidden}, tables, seed);
}

Tensors random_change(std::uint64_t seed) {
  return fresh_weights(ChangeShape{}, change_table(support::synthetic_changes(0, 20)), seed);
}

// Of all lengths from 1 on, with stages here and there.
std::vector<History> ragged_histories(std::size_t count) {
  std::vector<History> histories;
  for (std::size_t i = 0; i < count; ++i) {
    RunSequence curve = support::synthetic_curve(i, {.epochs = 200});
    curve.losses.resize(1 + i * 200 / count);
    histories.push_back({curve.losses, curve.now, i % 2 == 0 ? 0 : curve.losses.size() / 2});
  }
  return histories;
}

void expect_near(const LossRange& a, const LossRange& b, double tolerance) {
  EXPECT_NEAR(a.low, b.low, tolerance);
  EXPECT_NEAR(a.mean, b.mean, tolerance);
  EXPECT_NEAR(a.high, b.high, tolerance);
}

void expect_near(const std::vector<Forecast>& a, const std::vector<Forecast>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < kEpochsAhead; ++k) expect_near(a[i][k], b[i][k], 1e-5);
  }
}

TEST(ForecastParity, PlainLoopsForecastRunsAsTorchDoes) {
  const std::vector<History> histories = ragged_histories(21);
  for (const std::int64_t hidden : {32, 6, 1}) {
    const Tensors weights = random_run(3, hidden);
    expect_near(NetworkRunEstimator(weights).forecast(histories),
                torch_run_estimator(weights)->forecast(histories));
  }
}

// Large weights drive the gates to both of their ends.
TEST(ForecastParity, HoldsWhereGatesSaturate) {
  Tensors weights = random_run(4);
  for (float& weight : weights.at("lstm.inputs.weight").values) weight *= 30;
  for (float& weight : weights.at("lstm.memory.weight").values) weight *= 3;
  const std::vector<History> histories = ragged_histories(3);
  expect_near(NetworkRunEstimator(weights).forecast(histories),
              torch_run_estimator(weights)->forecast(histories));
}

TEST(ForecastParity, PlainLoopsForecastChangesAsTorchDoes) {
  std::vector<Pruning> changes;
  for (const ChangeExample& example : support::synthetic_changes(0, 19)) {
    changes.push_back(example.change);
  }
  const Tensors weights = random_change(5);
  const auto plain = NetworkChangeEstimator(weights).after(changes);
  const auto reference = torch_change_estimator(weights)->after(changes);
  ASSERT_EQ(plain.size(), changes.size());
  for (std::size_t i = 0; i < plain.size(); ++i) expect_near(plain[i], reference[i], 1e-5);
}

TEST(ForecastParity, ForecastsDependOnHistoryAndConditions) {
  const NetworkRunEstimator estimator(random_run(6));
  std::vector<History> histories(3, ragged_histories(3).back());
  histories[1].now.prune += 0.25;
  histories[2].losses.front() *= 1.5;
  const auto forecasts = estimator.forecast(histories);
  EXPECT_NE(forecasts[0], forecasts[1]);
  EXPECT_NE(forecasts[0], forecasts[2]);
}

}  // namespace
}  // namespace espalier
