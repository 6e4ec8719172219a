// SPDX-License-Identifier: Apache-2.0
#include "fitting/usual_counts.h"

#include <gtest/gtest.h>

#include "realisations/rng.h"

namespace espalier {
namespace {

// Each run falls by 0.01 an epoch, times a factor of its own, and is forecast to fall by 0.01.
// Noise is on top.
AnswersAhead answers_of(double spread, double noise) {
  const CounterRng rng(7);
  AnswersAhead answers(kHorizons.size());
  for (std::size_t run = 0; run < 20; ++run) {
    const double fall = 0.01 * (1 + spread * rng.normal({0, run, 0}));
    for (int epoch = 0; epoch < 40; ++epoch) {
      const double from = 2 - fall * epoch;
      for (std::size_t h = 0; h < 6; ++h) {
        const auto ahead = static_cast<double>(kHorizons[h]);
        HeldOut one{.run = run, .epoch = epoch, .from = from};
        one.came =
            from - fall * ahead + noise * rng.normal({1 + h, run, static_cast<std::size_t>(epoch)});
        const double mean = from - 0.01 * ahead;
        one.said[position_of(Voice::Calibrated)] = {mean - 0.02, mean, mean + 0.02};
        answers[h].push_back(one);
      }
    }
  }
  return answers;
}

TEST(UsualCounts, RunsThatDifferAreBelievedSoon) {
  EXPECT_EQ(choose_usual_counts(answers_of(0.5, 0.001)).fall, 10);
}

TEST(UsualCounts, RunsThatAreAlikeAreNotBelieved) {
  EXPECT_GE(choose_usual_counts(answers_of(0, 0.02)).fall, 640);
}

TEST(UsualCounts, RangesThatAreWideForAllAreUsual) {
  // Half as far out as normal deviations of such ranges would be.
  const double noise = 0.5 * 0.02 / 1.645;
  EXPECT_NEAR(choose_usual_counts(answers_of(0, noise)).square, 0.25, 0.03);
}

TEST(UsualCounts, WithoutAnswersAnyWillDo) {
  EXPECT_GT(choose_usual_counts(AnswersAhead(kHorizons.size())).fall, 0);
}

}  // namespace
}  // namespace espalier
