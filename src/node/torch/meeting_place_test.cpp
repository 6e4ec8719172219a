// SPDX-License-Identifier: Apache-2.0
#include "node/torch/meeting_place.h"

#include <atomic>
#include <cstdlib>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/error.h"
#include "node/own_address.h"
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

// Nobody answers there: who dials it hears for a long time of nothing else.
TEST(MeetingPlaces, OpenAtOnceWhateverTheOthersCallThem) {
  const std::string nobody = "192.0.2.1";
  try {
    own_address_towards({nobody, 1});
  } catch (const Error&) {
    GTEST_SKIP() << "there is no network here";
  }
  const auto port = static_cast<std::uint16_t>(some_free_port());
  const auto begin = std::chrono::steady_clock::now();
  MeetingPlace leader({0, 2, "", nobody, port});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  leader.put("order", "go");
  EXPECT_EQ(MeetingPlace({1, 2, "", "0.0.0.0", port}).look("order"), "go");
}

TEST(MeetingPlaces, NeedAFolderForTemporaryFiles) {
  const char* before = std::getenv("TMPDIR");
  const std::string usual = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/nonexistent", 1);
  try {
    MeetingPlace leader(at_folder(0));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    EXPECT_EQ(error.hint(), "TMPDIR has to name a folder that there is");
  }
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", usual.c_str(), 1);
}

}  // namespace
}  // namespace espalier
