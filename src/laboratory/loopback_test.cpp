// SPDX-License-Identifier: Apache-2.0
#include "laboratory/loopback.h"

#include <gtest/gtest.h>

#include "energy/system_clocks.h"

namespace espalier {
namespace {

TEST(Loopback, TakesTimeForEveryByte) {
  const SteadyClock clock;
  EXPECT_GT(loopback_time(1, clock), Seconds{});
  EXPECT_LT(loopback_time(5'000'000, clock), Seconds{60});
}

}  // namespace
}  // namespace espalier
