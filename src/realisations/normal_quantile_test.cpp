// SPDX-License-Identifier: Apache-2.0
#include "realisations/normal_quantile.h"

#include <vector>

#include <gtest/gtest.h>

#include "core/learning_rule.h"

namespace espalier {
namespace {

TEST(PortableNormalQuantile, AgreesWithTheDefinition) {
  for (const double q : {1e-12, 1e-6, 0.001, 0.05, 0.0749, 0.0751, 0.3, 0.5, 0.8, 0.95, 0.999999}) {
    EXPECT_NEAR(portable_normal_quantile(q), normal_quantile(q), 1e-9) << q;
  }
  EXPECT_NEAR(portable_normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_EQ(portable_normal_quantile(0.25), -portable_normal_quantile(0.75));
}

TEST(PortableNormalQuantile, IsTheSameForManyAsForOne) {
  std::vector<double> q;
  for (double x = 1e-16; x < 0.5; x *= 1.01) {
    q.push_back(x);
    q.push_back(1 - x);
  }
  q.insert(q.end(), {0x1p-54, 0.5, 0.075, 0.925, 1 - 0x1p-53});
  std::vector<double> z = q;
  portable_normal_quantiles(z);
  for (std::size_t i = 0; i < q.size(); ++i)
    EXPECT_EQ(z[i], portable_normal_quantile(q[i])) << q[i];
}

}  // namespace
}  // namespace espalier
