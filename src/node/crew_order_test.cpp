// SPDX-License-Identifier: Apache-2.0
#include "node/crew_order.h"

#include <limits>
#include <tuple>

#include <gtest/gtest.h>

namespace espalier {
namespace {

LearnerOptions some_options() {
  return {.batch = 7,
          .learning_rate = 0.5,
          .momentum = 0.75,
          .weight_decay = 0.125,
          .schedule = {RateSchedule::Step, 11, 0.25},
          .jitter = 3,
          .seed = 13,
          .threads = 2};
}

CrewOrder some_order() {
  CrewOrder order = order_of(some_options());
  order.is_end = 1;
  order.task = 17;
  order.epoch = 4;
  order.samples = 19;
  order.network_bytes = 1'000;
  return order;
}

// A field that is new does not compile until it has its place here. Scales are for nobody who
// learns with others.
auto all_of(const LearnerOptions& options) {
  const auto& [batch, rate, momentum, decay, schedule, scales, jitter, seed, threads] = options;
  const auto& [kind, epochs, factor] = schedule;
  return std::tuple(batch, rate, momentum, decay, kind, epochs, factor, scales.size(), jitter, seed,
                    threads);
}

auto all_of(const CrewOrder& order) {
  const auto& [is_end, batch, rate, momentum, decay, schedule, jitter, seed, threads, task, epoch,
               samples, bytes] = order;
  const auto& [kind, epochs, factor] = schedule;
  return std::tuple(is_end, batch, rate, momentum, decay, kind, epochs, factor, jitter, seed,
                    threads, task, epoch, samples, bytes);
}

TEST(CrewOrders, AreUnderstoodAsTheyWereMeant) {
  const auto order = order_in(bytes_of(some_order()));
  ASSERT_TRUE(order);
  EXPECT_EQ(all_of(*order), all_of(some_order()));
  EXPECT_EQ(order->samples, 19U);
}

TEST(CrewOrders, HaveAllOptionsOfALearner) {
  EXPECT_EQ(all_of(options_of(some_order())), all_of(some_options()));
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
