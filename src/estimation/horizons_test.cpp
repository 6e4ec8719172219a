// SPDX-License-Identifier: Apache-2.0
#include "estimation/horizons.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Horizons, KnownOnesStandForThemselves) {
  for (std::size_t i = 0; i < kHorizons.size(); ++i) {
    const BetweenHorizons at = between_horizons(kHorizons[i]);
    EXPECT_EQ(at.before, i);
    EXPECT_EQ(at.after, i);
  }
}

TEST(Horizons, BetweenTwoBothCountAndBeyondTheLastItAlone) {
  const BetweenHorizons at = between_horizons(14);  // √(10·20)
  EXPECT_EQ(kHorizons[at.before], 10);
  EXPECT_EQ(kHorizons[at.after], 20);
  EXPECT_NEAR(at.share, 0.5, 0.02);
  const BetweenHorizons far = between_horizons(500);
  EXPECT_EQ(kHorizons[far.before], kHorizons.back());
  EXPECT_EQ(far.after, far.before);
}

TEST(Horizons, EachHasItsOwnBlendAndCalibration) {
  HorizonTuning tuning;
  tuning.network_share.fill(1);
  tuning.network_share[1] = 0;
  for (Adjustment& adjustment : tuning.adjustment) adjustment.up = 0.1;
  tuning.adjustment[2].up = 0.3;
  const LossesAhead network(3, {0.5, 0.5, 0.5});
  const LossesAhead law(3, {0.2, 0.2, 0.2});
  const LossesAhead both = blended_ahead(network, law, tuning);
  EXPECT_DOUBLE_EQ(both[0].mean, 0.5);
  EXPECT_DOUBLE_EQ(both[1].mean, 0.2);
  const LossesAhead ranges = adjusted_ahead(both, tuning);
  EXPECT_DOUBLE_EQ(ranges[1].high, 0.3);
  EXPECT_DOUBLE_EQ(ranges[2].high, 0.8);
}

TEST(Horizons, CalibrationBetweenTwoIsBetweenTheirs) {
  HorizonTuning tuning;
  tuning.adjustment[5].up = 0.1;  // 10
  tuning.adjustment[6].up = 0.3;  // 20
  const LossesAhead ranges = adjusted_ahead(LossesAhead(14, {0.5, 0.5, 0.5}), tuning);
  EXPECT_NEAR(ranges[13].high, 0.7, 0.01);
}

}  // namespace
}  // namespace espalier
