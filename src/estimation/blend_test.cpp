// SPDX-License-Identifier: Apache-2.0
#include "estimation/blend.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/metrics.h"
#include "estimation/naive_estimator.h"
#include "estimation/power_law_estimator.h"
#include "estimation/synthetic_traces.h"

namespace espalier {
namespace {

std::vector<Judged> with_error(std::uint64_t seed, double size) {
  const CurveSource source(99);
  const CurveSource errors(seed);
  std::vector<Judged> judged;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const double came = 1 + source.uniform(i, 0);
    const double mean = came + size * errors.normal(i, 0);
    judged.push_back({{mean - 1, mean, mean + 1}, came, i});
  }
  return judged;
}

double error_of_blend(std::vector<Judged> first, const std::vector<Judged>& second, double share) {
  for (std::size_t i = 0; i < first.size(); ++i)
    first[i].said = blended(first[i].said, second[i].said, share);
  return measure(first).mae;
}

TEST(Blend, IsNeverWorseThanTheBetterOfTheTwo) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto first = with_error(2 * seed, 0.01 + 0.01 * double(seed % 7));
    const auto second = with_error(2 * seed + 1, 0.05);
    const double share = choose_share(first, second);
    const double error = error_of_blend(first, second, share);
    EXPECT_LE(error, std::min(measure(first).mae, measure(second).mae) + 1e-12);
    for (double other = 0; other <= 1; other += 0.05)
      EXPECT_LE(error, error_of_blend(first, second, other) + 1e-12) << "it is the best share";
  }
}

TEST(Blend, MixesEquallyGoodEstimators) {
  const auto first = with_error(1, 0.05);
  const auto second = with_error(2, 0.05);
  const double share = choose_share(first, second);
  EXPECT_NEAR(share, 0.5, 0.15);
  EXPECT_LT(error_of_blend(first, second, share), 0.85 * measure(first).mae);
}

TEST(Blend, ChoosesWhereOneKnowsAll) {
  EXPECT_EQ(choose_share(with_error(1, 0), with_error(2, 0.05)), 1);
  EXPECT_EQ(choose_share(with_error(1, 0.05), with_error(2, 0)), 0);
  EXPECT_EQ(choose_share({}, {}), 0.5);
}

TEST(Blend, NeedsTheSameQuestions) {
  const auto judged = with_error(1, 0.1);
  EXPECT_THROW(choose_share(judged, {}), Error);
}

}  // namespace
}  // namespace espalier
