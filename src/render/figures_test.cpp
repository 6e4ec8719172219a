// SPDX-License-Identifier: Apache-2.0
#include "render/figures.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Duration, UsesTheUnitsOfItsSize) {
  EXPECT_EQ(duration(Seconds{0}), "0 s");
  EXPECT_EQ(duration(Seconds{0.8}), "0.8 s");
  EXPECT_EQ(duration(Seconds{59.999}), "1 min");
  EXPECT_EQ(duration(Seconds{1000}), "16 min 40 s");
  EXPECT_EQ(duration(Seconds{3599.7}), "1 h");
  EXPECT_EQ(duration(Seconds{7500}), "2 h 5 min");
  EXPECT_EQ(duration(Seconds{4 * 86400 + 7200}), "4 d 2 h");
}

TEST(EnergyScale, GivesAColumnOneUnitAndItsDecimals) {
  const EnergyScale small(Joules{35.4231});
  EXPECT_EQ(small(Joules{35.4231}), "35.42 J");
  EXPECT_EQ(small(Joules{0.2}), "0.20 J");
  EXPECT_EQ(small(Joules{0.0001}), "<0.01 J");
  EXPECT_EQ(small(Joules{0}), "0.00 J");
  EXPECT_EQ(EnergyScale(Joules{1250})(Joules{1250}), "1250 J");
  EXPECT_EQ(EnergyScale(Joules{12500})(Joules{800}), "0.80 kJ");
  EXPECT_EQ(EnergyScale(Joules{2.5e6})(Joules{100}), "<1 kJ");
  EXPECT_EQ(energy_figure(Joules{0.25}), "0.2500 J");
  EXPECT_EQ(EnergyScale(Joules{1000}, Joules{1.25})(Joules{12.34}), "12.34 J");
}

TEST(Percent, KeepsThreeDigits) {
  EXPECT_EQ(percent(0.0321), "3.21 %");
  EXPECT_EQ(percent(1.5), "150 %");
  EXPECT_EQ(percent(1e-6), "<0.01 %");
  EXPECT_EQ(signed_percent(0.05), "+5 %");
  EXPECT_EQ(signed_percent(-0.01), "−1 %");
  EXPECT_EQ(signed_percent(0), "0 %");
}

TEST(Bar, GrowsInEighths) {
  EXPECT_EQ(bar(1, 3), "███");
  EXPECT_EQ(bar(0.5, 3), "█▌");
  EXPECT_EQ(bar(0.001, 3), "▏");
  EXPECT_EQ(bar(0, 3), "");
}

TEST(RoundedUp, NeverPromisesLess) {
  EXPECT_EQ(rounded_up(0.123412, 4), 0.1235);
  EXPECT_EQ(rounded_up(0.15, 4), 0.15);
  EXPECT_EQ(rounded_up(1000.4, 4), 1001);
  for (const double x : {0.1, 0.30000000000000004, 123.456, 7e-9}) EXPECT_GE(rounded_up(x, 4), x);
}

}  // namespace
}  // namespace espalier
