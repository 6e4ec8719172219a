// SPDX-License-Identifier: Apache-2.0
#include "node/torch/meeting_place.h"

#include <atomic>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/sockets.h"

namespace espalier {
namespace {

CrewAddress at_folder(int rank) {
  return {rank, 2, "espalier-group-test-" + std::to_string(::getpid())};
}

// What is looked at goes and comes all the time.
void expect_quick_looks(const CrewAddress& leading, const CrewAddress& following) {
  MeetingPlace leader(leading);
  std::atomic<int> misses = 0;
  const std::jthread follower([&](const std::stop_token& stop) {
    MeetingPlace place(following);
    while (!stop.stop_requested()) {
      if (const auto value = place.look("order"))
        EXPECT_EQ(*value, "go");
      else
        ++misses;
    }
  });
  for (int round = 0; round < 3'000; ++round) {
    leader.put("order", "go");
    leader.clear("order");
    const int before = misses;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (misses == before) ASSERT_LT(std::chrono::steady_clock::now(), end) << "it waits";
  }
}

TEST(MeetingPlaces, AreLookedAtWithoutWaiting) {
  expect_quick_looks(at_folder(0), at_folder(1));
  const auto port = static_cast<std::uint16_t>(some_free_port());
  expect_quick_looks({0, 2, "", "0.0.0.0", port}, {1, 2, "", "0.0.0.0", port});
}

}  // namespace
}  // namespace espalier
