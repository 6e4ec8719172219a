// SPDX-License-Identifier: Apache-2.0
#include "runner/round_line.h"

#include <gtest/gtest.h>

#include "fakes/run_of_fakes.h"

namespace espalier {
namespace {

TEST(RoundLine, TellsHowFarARoundIsAndHowLongItTakesStill) {
  const RunSetup setup = fakes::setup_for_fakes();
  RoundProgress now{{"run", 3, 1, 0}, RoundKind::Train, setup.problem.start().placement, 0.25};
  EXPECT_EQ(round_text(setup, now, {0, {10}}),
            "epoch 4 · L on gold · 25 % trained, about 30 s left");
  now.done = 0.01;
  EXPECT_EQ(round_text(setup, now, {0, {10}}), "epoch 4 · L on gold · 1 % trained") << "who knows";
  now.done = 0.75;
  EXPECT_EQ(round_text(setup, now, {0.5, {10}}),
            "epoch 4 · L on gold · 75 % trained, about 10 s left");
  now.kind = RoundKind::Compress;
  EXPECT_EQ(round_text(setup, now, {0, {10}}), "epoch 4 · compressing to L");
  now.kind = RoundKind::Look;
  EXPECT_EQ(round_text(setup, now, {0, {10}}), "epoch 4 · looking at the loss");
}

}  // namespace
}  // namespace espalier
