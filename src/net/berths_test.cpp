// SPDX-License-Identifier: Apache-2.0
#include "net/berths.h"

#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace espalier {
namespace {

using std::chrono::milliseconds;
using Lane = Berths::Lane;

class BerthsTest : public testing::Test {
 protected:
  // A call that wants to have a piece on its way.
  void ask(int number, std::uint64_t bytes, Lane lane = Lane::Quick) {
    berths.ask(lane, bytes, [this, number](std::shared_ptr<Berths::Berth> berth) {
      granted.push_back(number);
      held[number] = std::move(berth);
    });
  }
  // The same, when its last one is through.
  void ask_again(int number, std::uint64_t bytes, Lane lane = Lane::Quick) {
    const auto note = [this, number](std::shared_ptr<Berths::Berth> berth) {
      granted.push_back(number);
      held[number] = std::move(berth);
    };
    berths.ask(lane, bytes, note, std::exchange(held[number], nullptr));
  }
  void leave(int number) {
    const auto berth = std::move(held[number]);
    held.erase(number);
  }
  void pass(milliseconds time) { now += time; }
  // Or those who still wait would be granted what the others leave as they are destroyed.
  void TearDown() override { berths.close(); }

  Berths::Clock::time_point now{};
  Berths berths{{.quick_room = 100,
                 .room = 250,
                 .slow_after = milliseconds(200),
                 .round = milliseconds(1000),
                 .stuck_after = milliseconds(5000)},
                [this] { return now; }};
  std::vector<int> granted;
  std::map<int, std::shared_ptr<Berths::Berth>> held;
};

TEST_F(BerthsTest, HaveRoomForSoMuch) {
  ask(1, 60);
  ask(2, 40);
  ask(3, 1);
  EXPECT_EQ(granted, (std::vector{1, 2}));
  leave(2);
  EXPECT_EQ(granted, (std::vector{1, 2, 3}));
}

TEST_F(BerthsTest, AreGivenInTheOrderOfAsking) {
  ask(1, 100);
  ask(2, 100);
  ask(3, 10);
  ask(4, 10);
  leave(1);
  EXPECT_EQ(granted, (std::vector{1, 2})) << "the small ones do not overtake";
  leave(2);
  EXPECT_EQ(granted, (std::vector{1, 2, 3, 4}));
}

TEST_F(BerthsTest, ATurnIsSeveralPiecesLong) {
  ask(1, 100);
  ask(2, 100);
  pass(milliseconds(150));
  ask_again(1, 100);
  EXPECT_EQ(granted, (std::vector{1, 1}));
  pass(milliseconds(350));
  ask_again(1, 100);
  EXPECT_EQ(granted, (std::vector{1, 1, 2})) << "one waits: half of a round each";
  pass(milliseconds(150));
  ask_again(2, 100);
  EXPECT_EQ(granted, (std::vector{1, 1, 2, 2}));
  leave(2);
  EXPECT_EQ(granted, (std::vector{1, 1, 2, 2, 1}));
}

TEST_F(BerthsTest, SlowOnesHaveNoTurns) {
  ask(1, 100);
  ask(2, 100);
  ask(3, 200, Lane::Slow);
  ask_again(1, 100, Lane::Slow);
  EXPECT_EQ(granted, (std::vector{1, 3}));
  leave(3);
  EXPECT_EQ(granted, (std::vector{1, 3, 1, 2}));
}

TEST_F(BerthsTest, SlowOnesDoNotHoldTheOthersUp) {
  ask(1, 100);
  ask(2, 100);
  pass(milliseconds(200));
  berths.look_after_slow();
  EXPECT_EQ(granted, (std::vector{1}));
  pass(milliseconds(1));
  berths.look_after_slow();
  EXPECT_EQ(granted, (std::vector{1, 2}));
  leave(1);
  ask(3, 100);
  EXPECT_EQ(granted, (std::vector{1, 2})) << "the room of the slow one was given away already";
}

TEST_F(BerthsTest, SlowOnesAreNotHeldUpByTheOthers) {
  ask(1, 100);
  ask(2, 75, Lane::Slow);
  ask(3, 75, Lane::Slow);
  EXPECT_EQ(granted, (std::vector{1, 2, 3}));
}

TEST_F(BerthsTest, SlowOnesHaveALimitToo) {
  for (int i = 1; i <= 3; ++i) ask(i, 100, Lane::Slow);
  ask(4, 60);
  EXPECT_EQ(granted, (std::vector{1, 2}));
  leave(1);
  EXPECT_EQ(granted, (std::vector{1, 2, 3}));
  pass(milliseconds(5001));
  berths.look_after_slow();
  EXPECT_EQ(granted, (std::vector{1, 2, 3, 4})) << "what is stuck does not count";
  leave(2);
  leave(3);
  ask(5, 41);
  EXPECT_EQ(granted, (std::vector{1, 2, 3, 4})) << "nor does it count again when it leaves";
}

TEST_F(BerthsTest, TheLastPieceTellsTheLaneOfTheNext) {
  ask(1, 10);
  pass(milliseconds(150));
  ask(2, 10, Lane::Slow);
  EXPECT_EQ(held[1]->next_lane(), Lane::Quick);
  pass(milliseconds(100));
  EXPECT_EQ(held[1]->next_lane(), Lane::Slow);
  EXPECT_EQ(held[2]->next_lane(), Lane::Quick);
}

TEST_F(BerthsTest, WhoeverIsGrantedOneMayGiveItBackAtOnce) {
  std::vector<int> given;
  ask(0, 100);
  for (int i = 1; i <= 1000; ++i)
    berths.ask(Lane::Quick, 100,
               [&given, i](const std::shared_ptr<Berths::Berth>&) { given.push_back(i); });
  held.clear();
  EXPECT_EQ(given.size(), 1000U);
}

TEST_F(BerthsTest, AreClosedForThoseWhoWait) {
  const auto waits = std::make_shared<int>(0);
  ask(1, 100);
  berths.ask(Lane::Quick, 100, [waits](const std::shared_ptr<Berths::Berth>&) { ++*waits; });
  berths.close();
  EXPECT_EQ(waits.use_count(), 1) << "nothing is kept of it";
  held.clear();
  EXPECT_EQ(*waits, 0);
}

}  // namespace
}  // namespace espalier
