// SPDX-License-Identifier: Apache-2.0
#include "node/crew_order.h"

#include <limits>

#include <gtest/gtest.h>

namespace espalier {
namespace {

CrewOrder some_order() {
  CrewOrder order = order_of({.batch = 7, .learning_rate = 0.5, .seed = 3, .threads = 2});
  order.epoch = 4;
  order.network_bytes = 1'000;
  return order;
}

TEST(CrewOrders, AreUnderstoodAsTheyWereMeant) {
  const auto order = order_in(bytes_of(some_order()));
  ASSERT_TRUE(order);
  EXPECT_EQ(order->epoch, 4);
  EXPECT_EQ(order->network_bytes, 1'000U);
  EXPECT_EQ(options_of(*order).batch, 7);
  EXPECT_EQ(options_of(*order).learning_rate, 0.5);
  EXPECT_EQ(options_of(*order).seed, 3U);
}

TEST(CrewOrders, OfAnotherVersionAreNone) {
  const std::string bytes = bytes_of(some_order());
  EXPECT_FALSE(order_in(""));
  EXPECT_FALSE(order_in(bytes + "x"));
  EXPECT_FALSE(order_in(bytes.substr(1)));
  EXPECT_FALSE(order_in(std::string(bytes.size(), '\xff')));
}

TEST(CrewOrders, BeyondAllLimitsAreNone) {
  CrewOrder large = some_order();
  large.network_bytes = std::numeric_limits<std::uint64_t>::max();
  EXPECT_FALSE(order_in(bytes_of(large)));
  for (const int threads : {0, -1, 1'000'000}) {
    CrewOrder busy = some_order();
    busy.threads = threads;
    EXPECT_FALSE(order_in(bytes_of(busy))) << threads;
  }
}

}  // namespace
}  // namespace espalier
