// SPDX-License-Identifier: Apache-2.0
#include "core/portable_math.h"

#include <cmath>

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(PortableMath, AgreesWithTheLibrary) {
  for (double x = 1e-9; x < 1e9; x *= 1.0037) {
    EXPECT_NEAR(portable_log(x), std::log(x), 4e-16 * std::abs(std::log(x)) + 1e-17) << x;
    for (const double p : {0.3, 1.0, 1.4, 2.0})
      EXPECT_NEAR(portable_pow(x, p) / std::pow(x, p), 1, 2e-14) << x << "^" << p;
  }
  for (double x = -60; x < 60; x += 0.0137)
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 4e-16) << x;
}

TEST(PortableMath, IsExactWhereItCanBe) {
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_pow(1, 1.4), 1);
}

TEST(PortableMath, StaysFiniteAtTheEnds) {
  EXPECT_GT(portable_exp(-1e9), 0);
  EXPECT_LT(portable_exp(1e9), 1e305);
  EXPECT_LT(portable_pow(0, 1.4), 1e-290);
}

}  // namespace
}  // namespace espalier
