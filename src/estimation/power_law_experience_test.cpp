// SPDX-License-Identifier: Apache-2.0
#include "estimation/power_law_experience.h"

#include <cmath>

#include <gtest/gtest.h>

#include "estimation/synthetic_traces.h"

namespace espalier {
namespace {

// Networks that learn slowly: half of the loss takes some 30 epochs.
std::vector<double> slow_curve(std::uint64_t run) {
  const CurveSource source(21, 0.01);
  const CurveLaw law{.floor = 0.2 + 0.1 * source.uniform(run, 0),
                     .scale = 100,
                     .shift = 45 + 10 * source.uniform(run, 1),
                     .power = 1,
                     .noise = 0.01};
  return source.losses(law, run, 60);
}

std::vector<TraceRow> slow_runs(std::size_t count) {
  std::vector<TraceRow> rows;
  for (std::size_t run = 0; run < count; ++run) {
    const auto more = fresh_run("run" + std::to_string(run), slow_curve(run));
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

double error_at_the_start(const PowerLawEstimator& estimator) {
  double error = 0;
  for (std::uint64_t run = 1000; run < 1050; ++run) {
    const auto losses = slow_curve(run);
    for (const int known : {1, 2, 3}) {
      const auto ranges = estimator.ahead(history_of({losses.begin(), losses.begin() + known}), 5);
      error += std::abs(ranges[4].mean - losses[static_cast<std::size_t>(known) + 4]) / 150;
    }
  }
  return error;
}

TEST(PowerLawExperience, HelpsInTheFirstEpochs) {
  const auto experience = learn_experience(tell_stories(slow_runs(20)).runs);
  EXPECT_LT(error_at_the_start(PowerLawEstimator(experience)),
            0.5 * error_at_the_start(PowerLawEstimator()));
}

TEST(PowerLawExperience, NarrowsTheFirstRange) {
  const auto experience = learn_experience(tell_stories(slow_runs(20)).runs);
  const auto before = PowerLawEstimator().ahead(history_of({2.3}), 5);
  const auto after = PowerLawEstimator(experience).ahead(history_of({2.3}), 5);
  EXPECT_LT(after[4].high - after[4].low, 0.8 * (before[4].high - before[4].low));
}

TEST(PowerLawExperience, IsTheDefaultWithoutTraces) {
  const auto experience = learn_experience({});
  const History history = history_of({2.3, 2, 1.8});
  const auto a = PowerLawEstimator(experience).ahead(history, 3);
  const auto b = PowerLawEstimator().ahead(history, 3);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i].high, b[i].high, 1e-9);
}

TEST(PowerLawExperience, TellsFreshNetworksFromChangedOnes) {
  auto rows = fresh_run("1/gold", slow_curve(0));
  for (int k = 0; k <= 20; ++k) {
    const TraceEvent event = k == 0 ? TraceEvent::HandOver : TraceEvent::Epoch;
    rows.push_back(trace_row("1/gold/5x0.5/silver", 5 + k, 0.3 + 1.0 / (1 + k), event));
  }
  rows.push_back(trace_row("1/gold/5x0.5", 5, 1.2, TraceEvent::Prune));
  const auto experience = learn_experience(tell_stories(rows).runs);
  EXPECT_NE(experience.fresh.floor, experience.changed.floor);
  History history = history_of({2, 1.3});
  const PowerLawEstimator estimator(experience);
  const double fresh = estimator.ahead({.losses = {1.3}, .now = {}}, 1)[0].mean;
  history.stage = 1;
  EXPECT_LT(estimator.ahead(history, 1)[0].mean, fresh) << "changed networks recover quickly";
}

}  // namespace
}  // namespace espalier
