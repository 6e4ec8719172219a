// SPDX-License-Identifier: Apache-2.0
// Whatever is killed at whatever instant, nothing is lost and nothing comes out differently.
#include <random>

#include "collection.h"

namespace espalier {
namespace {

using KilledCollection = Collection;

// How often it is disturbed before it is left alone.
constexpr int kMostKills = 25;

TEST_F(KilledCollection, OfTheCollectorGivesTheSameTraces) {
  ASSERT_EQ(collect("undisturbed"), 0) << err();
  std::mt19937 random(1);
  std::optional<int> ended;
  int kills = 0;
  while (!ended && kills < kMostKills) {
    const auto running =
        start(collect_words("out", {"--workers", "2"}), {{"FAKE_EPOCH_US", "5000"}});
    ended = running->wait_for(std::chrono::microseconds(2000 + random() % 60'000));
    kills += ended ? 0 : 1;
  }
  EXPECT_GT(kills, 5) << "it was disturbed too seldom to show anything";
  if (!ended) ended = collect("out");
  EXPECT_EQ(ended, 0) << err();
  EXPECT_EQ(traces("out"), traces("undisturbed"));
  EXPECT_EQ(count_files("out", ".safetensors"), 0U);
}

TEST_F(KilledCollection, OfTrainersGivesTheSameTraces) {
  ASSERT_EQ(collect("undisturbed"), 0) << err();
  std::mt19937 random(2);
  const auto running = start(collect_words("out", {"--workers", "3", "--attempts", "1000"}),
                             {{"FAKE_EPOCH_US", "2000"}});
  std::optional<int> ended;
  int kills = 0;
  while (!ended) {
    ended = running->wait_for(std::chrono::microseconds(5000 + random() % 40'000));
    if (ended || kills >= kMostKills) continue;
    const std::vector<pid_t> trainers = running->children();
    if (trainers.empty()) continue;
    ::kill(trainers[random() % trainers.size()], SIGKILL);
    ++kills;
  }
  EXPECT_GT(kills, 5) << "it was disturbed too seldom to show anything";
  EXPECT_EQ(*ended, 0) << err();
  EXPECT_EQ(traces("out"), traces("undisturbed"));
}

}  // namespace
}  // namespace espalier
