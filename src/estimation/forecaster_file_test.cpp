// SPDX-License-Identifier: Apache-2.0
#include "estimation/forecaster_file.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/infinite.h"
#include "estimation/random_estimators.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

ForecastTuning some_tuning() {
  ForecastTuning tuning;
  tuning.experience.changed.floor = 0.25;
  tuning.experience.fresh.shapes.back() = 0.5;
  tuning.horizons.network_share.fill(0.75);
  tuning.horizons.adjustment[3] = {Stretching::Scaled, 0.5, -0.25, -kInfinite, 312, true};
  tuning.change = {Stretching::Added, -kInfinite, 0.125, 0.5, 24, true};
  tuning.harm = {0.5};
  tuning.seen = {{0, 0.5}, {1'500, 45'000}, {10}, 100};
  tuning.fading = 0.125;
  return tuning;
}

TEST(ForecasterFile, KeepsEverything) {
  const ForecastTuning tuning = some_tuning();
  const ForecastTuning read = tuning_from(tuning_tensors(tuning));
  EXPECT_EQ(read.horizons, tuning.horizons);
  EXPECT_EQ(read.change, tuning.change);
  EXPECT_EQ(read.seen, tuning.seen);
  EXPECT_EQ(read.harm.per_share, tuning.harm.per_share);
  EXPECT_EQ(read.fading, tuning.fading);
  EXPECT_EQ(read.experience.changed.floor, tuning.experience.changed.floor);
  EXPECT_EQ(read.experience.fresh.shapes.back(), 0.5);
}

TEST(ForecasterFile, ForecastsAreTheSameAfterSavingAndLoading) {
  const TemporaryFolder folder;
  const FittedEstimators fitted{.run = support::random_run_network(4),
                                .change = support::random_change_network(5),
                                .calibration = tuning_tensors(some_tuning())};
  save_estimators(fitted, folder.path() / "f");
  const LearningForecaster loaded = load_forecaster(folder.path() / "f");
  const LearningForecaster made(fitted.run, fitted.change, tuning_from(fitted.calibration));
  const std::vector histories{support::falling_history(20, 4, 0.25)};
  EXPECT_EQ(loaded.ahead(histories, 30), made.ahead(histories, 30));
  const std::vector<Pruning> prunings{{0, 0.5, {1, 0.9, 0.8, 0.7, 0.6}}};
  EXPECT_EQ(loaded.after(prunings), made.after(prunings));
}

TEST(ForecasterFile, RefusesWhatMakesNoSense) {
  const Tensors good = tuning_tensors(some_tuning());
  Tensors missing = good;
  missing.erase("horizons");
  EXPECT_THROW(tuning_from(missing), Error);
  Tensors more = good;
  more["surprise"] = {{1}, {1}};
  EXPECT_THROW(tuning_from(more), Error);
  for (const auto& [name, tensor] : good) {
    Tensors shorter = good;
    if (!name.starts_with("seen.")) {
      shorter[name].values.pop_back();
      EXPECT_THROW(tuning_from(shorter), Error) << name;
    }
    Tensors no_number = good;
    no_number[name].values.front() = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(tuning_from(no_number), Error) << name;
    Tensors longer = good;
    longer[name].values.resize(longer[name].values.size() + kMostSeen, 0.5F);
    EXPECT_THROW(tuning_from(longer), Error) << name;
  }
}

}  // namespace
}  // namespace espalier
