// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

TEST(ParseSetting, SplitsAtTheFirstEqualsSign) {
  const Setting setting = parse_setting("data.gold={all: {rate: 1}, x: a=b}");
  EXPECT_EQ(setting.key, "data.gold");
  EXPECT_EQ(setting.value, "{all: {rate: 1}, x: a=b}");
  for (const char* bad : {"", "goal.loss", "=0.2", "goal.loss="})
    EXPECT_THROW(parse_setting(bad), Error) << bad;
}

TEST(ParseBias, ReadsSignedShares) {
  EXPECT_EQ(parse_bias("L=+0.1").share, 0.1);
  EXPECT_EQ(parse_bias("L=-0.25").share, -0.25);
  EXPECT_EQ(parse_bias("L=0.5").model, "L");
  for (const char* bad : {"L", "L=", "L=fast", "L=-1", "L=nan", "L=inf"})
    EXPECT_THROW(parse_bias(bad), Error) << bad;
}

TEST(ParseSweep, IncludesBothEndsWithTidyNumbers) {
  const Sweep sweep = parse_sweep("goal.loss=0.15:0.45:0.05");
  EXPECT_EQ(sweep.key, "goal.loss");
  EXPECT_EQ(sweep.values, (std::vector<double>{0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45}));
  EXPECT_EQ(parse_sweep("goal.deadline=5:5:1").values, (std::vector<double>{5}));
}

TEST(ParseSweep, RefusesWhatNeverEnds) {
  for (const char* bad : {"goal.loss", "goal.loss=1:2", "goal.loss=1:2:0", "goal.loss=1:2:-1",
                          "goal.loss=2:1:1", "goal.loss=0:1:1e-9", "goal.loss=a:b:c"}) {
    EXPECT_THROW(parse_sweep(bad), Error) << bad;
  }
}

TEST(ParseTimeLimit, TakesUnits) {
  EXPECT_EQ(parse_time("--patience", "2").value, 2);
  EXPECT_EQ(parse_time("--patience", "2 s").value, 2);
  EXPECT_EQ(parse_time("--patience", "5 min").value, 300);
  for (const char* bad : {"0", "-1", "soon", "3 J"})
    EXPECT_THROW(parse_time("--patience", bad), Error) << bad;
  try {
    parse_time("--patience", "3x");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("--patience '3x'")) << error.what();
  }
}

TEST(ParseEstimator, SuggestsWhatWasMeant) {
  EXPECT_EQ(parse_estimator("robust"), Estimator::Robust);
  try {
    parse_estimator("robst");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'robust'?"), std::string::npos);
  }
}

TEST(ParseStrategies, KeepsOrderAndDropsRepeats) {
  const auto all = parse_strategies("pact,exact,pact");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]->info().name, "pact");
  EXPECT_EQ(all[1]->info().name, "exact");
  EXPECT_THROW(parse_strategies("pact,exat"), Error);
  EXPECT_THROW(parse_strategies(","), Error);
}

}  // namespace
}  // namespace espalier
