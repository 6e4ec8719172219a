// SPDX-License-Identifier: Apache-2.0
#include "fitting/change_voices.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

ChangeExample pruned(double from, double to, double before, double after) {
  ChangeExample example;
  example.change.from = from;
  example.change.to = to;
  example.change.before.fill(before);
  example.after = after;
  return example;
}

LossRange asked(const ChangeEstimator& estimator, double from, double to, double before) {
  return estimator.after(std::vector{pruned(from, to, before, 0).change}).at(0);
}

TEST(ChangeVoices, MeanJumpGoesByTheShareOfWhatIsLeft) {
  const std::vector seen{pruned(0, 0.5, 1, 1.2), pruned(0.5, 0.75, 1, 1.4), pruned(0, 0.9, 1, 3)};
  const MeanJump rule(seen);
  EXPECT_NEAR(asked(rule, 0, 0.5, 1).mean, 1.3, 1e-9) << "0 → 0.5 and 0.5 → 0.75 take half each";
  EXPECT_NEAR(asked(rule, 0.75, 0.875, 0.5).mean, 0.8, 1e-9);
  EXPECT_NEAR(asked(rule, 0, 0.8, 1).mean, 3, 1e-9) << "the nearest share that was seen";
}

TEST(ChangeVoices, NothingHappensButRangesKnowWhatDid) {
  const std::vector seen{pruned(0, 0.5, 1, 2), pruned(0, 0.5, 1, 3)};
  const LossRange range = asked(NothingHappens(seen), 0, 0.5, 1);
  EXPECT_EQ(range.mean, 1);
  EXPECT_GT(range.high, 2.5);
  EXPECT_EQ(range.low, 1);
}

TEST(ChangeVoices, KnowNothingWithoutExamples) {
  EXPECT_EQ(asked(MeanJump({}), 0, 0.5, 1), (LossRange{1, 1, 1}));
  EXPECT_EQ(asked(NothingHappens({}), 0, 0.5, 1), (LossRange{1, 1, 1}));
}

}  // namespace
}  // namespace espalier
