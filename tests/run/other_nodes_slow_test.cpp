// SPDX-License-Identifier: Apache-2.0
// What may become of nodes on other machines in the middle of a run: real processes, each with its
// own connection and certificate. A node counts as lost when nothing is heard of it for 9 s.
#include "net/relay.h"
#include "other_nodes_site.h"

namespace espalier {
namespace {

using OtherNodes = OtherNodesSite;

TEST_F(OtherNodes, OneThatIsKilledIsLostAndTheOthersGoOn) {
  begin_with_all({}, {"PRETEND_TASK_MS=100"});
  ASSERT_TRUE(comes_to([&] { return epochs_done() >= 1; })) << out() << err();
  node("silver-2").signal(SIGKILL);
  EXPECT_EQ(end(), 0) << out() << err();
  EXPECT_TRUE(is_told("node-gone", "silver-2"));
  EXPECT_EQ(status()["nodes_lost"], 1);
  EXPECT_TRUE(contains(out(), "silver-2 of silver is lost")) << out();
  EXPECT_EQ(members_of(1), 2);
  EXPECT_EQ(members_of(epochs_done()), 1);
}

TEST_F(OtherNodes, OneThatIsFrozenIsLostAndTakenBackWhenItThaws) {
  begin_with_all({"--set", "goal.loss=0.3"}, {"PRETEND_TASK_MS=100"});
  ASSERT_TRUE(comes_to([&] { return epochs_done() >= 1; })) << out() << err();
  const std::string frozen = "silver-2";
  node(frozen).signal(SIGSTOP);
  ASSERT_TRUE(comes_to([&] { return is_told("node-gone", frozen); })) << out() << err();
  node(frozen).signal(SIGCONT);
  EXPECT_EQ(end(), 0) << out() << err();
  EXPECT_EQ(status()["nodes_lost"], 1);
  EXPECT_TRUE(contains(out(), "silver-2 of silver is back")) << out();
  EXPECT_EQ(members_of(epochs_done()), 2);
}

// Whatever time the plan has: here almost all of 100 s.
TEST_F(OtherNodes, OneThatIsTenTimesSlowerIsNotWaitedFor) {
  change_scenario("silver, time: 1", "silver, time: 0.3");
  begin_with_all({"--set", "goal.loss=1"}, {"PRETEND_TASK_MS=300"});
  // Longer than any wait on a busy machine, and not as long as the run.
  come("silver-2", {"PRETEND_TASK_MS=10000"});
  EXPECT_EQ(end(), 0) << out() << err();
  EXPECT_EQ(members_of(1), 1) << "the epoch is the quick one's alone";
  EXPECT_EQ(figure(1, "selected"), 2);
  EXPECT_TRUE(contains(out(), "epoch 1 goes on without silver-2: not done after")) << out();
  EXPECT_GE(status()["late_results"], 1);
  EXPECT_EQ(status()["nodes_lost"], 0);
}

TEST_F(OtherNodes, OneThatIsThreeTimesSlowerGetsTheTimeThatALoosePlanHas) {
  change_scenario("silver, time: 1", "silver, time: 1.2");
  begin_with_all({"--set", "goal.loss=1.1"}, {"PRETEND_TASK_MS=300", "PRETEND_TRAIN_MS=900"});
  come("silver-2", {"PRETEND_TASK_MS=300", "PRETEND_TRAIN_MS=3300"});
  EXPECT_EQ(end(), 0) << out() << err();
  for (std::size_t epoch = 1; epoch <= epochs_done(); ++epoch)
    EXPECT_EQ(members_of(epoch), 2) << out();
  EXPECT_EQ(status()["late_results"], 0);
}

TEST_F(OtherNodes, OneThatIsStartedAgainTakesItsPlace) {
  begin_with_all({"--set", "goal.loss=0.3"}, {"PRETEND_TASK_MS=200"});
  ASSERT_TRUE(comes_to([&] { return epochs_done() >= 1; })) << out() << err();
  come("silver-1", {"PRETEND_TASK_MS=200"});
  EXPECT_EQ(end(), 0) << out() << err();
  EXPECT_EQ(status()["nodes_lost"], 0) << "it was back before anybody missed it";
  EXPECT_TRUE(contains(out(), "silver-1 of silver is back") ||
              contains(out(), "silver-1 of silver was started again"))
      << out();
  EXPECT_EQ(members_of(epochs_done()), 2);
}

TEST_F(OtherNodes, OfTwoUnderOneNameTheSecondIsSentAway) {
  begin({});
  come("gold-1", {"PRETEND_TASK_MS=300"});
  ASSERT_TRUE(comes_to([&] { return is_told("node-came", "gold-1"); }));
  const std::unique_ptr<Started> first = release("gold-1");
  come("gold-1");
  ASSERT_TRUE(comes_to([&] { return contains(said_by("gold-1"), "is at work"); }))
      << said_by("gold-1");
  come("gold-2", {"PRETEND_TASK_MS=300"});
  EXPECT_EQ(end(), 0) << out() << err();
  EXPECT_FALSE(contains(out(), "was started again")) << "the first one did all of it";
  EXPECT_TRUE(contains(folder.read("here/refused.log"), "gold-1"));
}

TEST_F(OtherNodes, OneWithOtherOrNoDataIsCountedOrRefusedAccordingly) {
  begin({"--set", "goal.loss=0.3"});
  come("gold-1", {"PRETEND_TASK_MS=100"});
  come("gold-2", {"PRETEND_TASK_MS=100", "PRETEND_SAMPLES=0"});
  ASSERT_TRUE(comes_to([&] { return contains(said_by("gold-2"), "it has no samples"); }));
  come("gold-2", {"PRETEND_TASK_MS=100", "PRETEND_SAMPLES=600"});
  ASSERT_TRUE(comes_to([&] { return epochs_done() >= 1; })) << out() << err();
  EXPECT_EQ(samples_of("gold-2"), 600)
      << status().dump(1) << "what it says, not what the scenario says";
  come("gold-3", {"PRETEND_HEIGHT=28"});
  ASSERT_TRUE(comes_to([&] { return contains(said_by("gold-3"), "are not like those"); }))
      << said_by("gold-3");
  EXPECT_EQ(end(), 0) << out() << err();
}

TEST_F(OtherNodes, OneMayJoinOnTheWay) {
  begin({"--set", "goal.loss=0.3"});
  come("gold-1", {"PRETEND_TASK_MS=100"});
  come("gold-2", {"PRETEND_TASK_MS=100"});
  ASSERT_TRUE(comes_to([&] { return epochs_done() >= 1; })) << out() << err();
  come("gold-9", {"PRETEND_TASK_MS=100"});
  EXPECT_EQ(end(), 0) << out() << err();
  EXPECT_TRUE(contains(out(), "gold-9 of gold has joined")) << out();
  EXPECT_EQ(members_of(1), 2);
  EXPECT_EQ(members_of(epochs_done()), 3);
}

TEST_F(OtherNodes, OneWhoseCertificateIsRevokedIsOutAtOnce) {
  begin_with_all({"--set", "goal.loss=0.4"}, {"PRETEND_TASK_MS=100"});
  ASSERT_TRUE(comes_to([&] { return epochs_done() >= 1; })) << out() << err();
  certificates_.revoke("silver-2");
  ASSERT_TRUE(comes_to([&] { return contains(said_by("silver-2"), "revoked"); }))
      << said_by("silver-2");
  EXPECT_EQ(end(), 0) << out() << err();
  EXPECT_TRUE(contains(folder.read("here/refused.log"), "silver-2"));
  EXPECT_EQ(status()["nodes_lost"], 1);
  EXPECT_EQ(status()["bad_results"], 0);
}

TEST_F(OtherNodes, WhenAllAreGoneTheRunEndsSoonAndCanBeResumed) {
  begin_with_all({}, {"PRETEND_TASK_MS=200"});
  ASSERT_TRUE(comes_to([&] { return epochs_done() >= 1; })) << out() << err();
  all_go();
  const auto gone = std::chrono::steady_clock::now();
  EXPECT_EQ(end(), 1) << out() << err();
  EXPECT_LT(std::chrono::steady_clock::now() - gone, std::chrono::seconds(30)) << "9 s + 2 s";
  EXPECT_TRUE(contains(out(), "No node is left that could go on with it")) << out();
  const std::size_t done = epochs_done();
  resume();
  for (const char* name : {"gold-1", "gold-2", "silver-1", "silver-2"}) come(name);
  EXPECT_EQ(end(), 0) << out() << err();
  EXPECT_GT(epochs_done(), done);
}

TEST_F(OtherNodes, ThatBreakDownEndTheRunAndItCanBeResumed) {
  begin_with_all({}, {"PRETEND_FAILS=1"});
  EXPECT_EQ(end(), 1) << out() << err();
  EXPECT_TRUE(contains(out(), "too few results: the round is repeated")) << out();
  EXPECT_TRUE(contains(out(), "too few results: gold counts as broken")) << out();
  EXPECT_TRUE(contains(out(), "can be resumed")) << out();
  all_go();
  resume();
  for (const char* name : {"gold-1", "gold-2", "silver-1", "silver-2"}) come(name);
  EXPECT_EQ(end(), 0) << out() << err();
}

TEST_F(OtherNodes, EpochsThatTakeThreeTimesAsLongArePlannedForAsTheyAre) {
  change_scenario("silver, time: 1", "silver, time: 0.2");
  begin_with_all({}, {"PRETEND_TASK_MS=300"});
  EXPECT_EQ(end(), 0) << out() << err();
  ASSERT_GE(epochs_done(), 3U);
  for (std::size_t epoch = 2; epoch <= epochs_done(); ++epoch) {
    const double before = figure(epoch - 1, "time");
    EXPECT_GE(figure(epoch, "time"), before + 0.6) << "training, and looking";
    EXPECT_NEAR(figure(epoch, "planned_time"), before + 0.2, 1e-6) << "from where it really is";
  }
}

TEST_F(OtherNodes, WhenTheDeadlinePassesTheGoalIsMissed) {
  change_scenario("silver, time: 1", "silver, time: 0.2");
  change_scenario("gold, time: 2", "gold, time: 0.2");
  change_scenario("time: 1, energy: 1, jump", "time: 0.1, energy: 1, jump");
  begin_with_all({"--set", "goal.deadline=3"}, {"PRETEND_TASK_MS=700"});
  EXPECT_EQ(end(), 3) << out() << err();
  EXPECT_TRUE(contains(out(), "no further epoch fits before the deadline")) << out();
  EXPECT_LE(epochs_done(), 3U);
  EXPECT_EQ(status()["end"], "deadline-passed");
}

// Every link breaks again and again: downloads, uploads, reports and their answers are cut wherever
// they are. Nothing is lost and nothing counts twice.
TEST_F(OtherNodes, BehindLinksThatBreakAgainAndAgainTheyGetThere) {
  begin({"--set", "goal.loss=1"});
  Relay relay(std::stoi(address().substr(address().rfind(':') + 1)));
  for (const char* name : {"gold-1", "gold-2", "silver-1", "silver-2"})
    come_to(relay.address(), name);
  std::uint64_t cuts = 0;
  while (!orchestrator().is_over() && cuts < 2000) {
    const std::uint64_t after = relay.sent() + 20'000 + 7'000 * (cuts % 9);
    while (relay.sent() < after && !orchestrator().is_over())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    relay.mend();
    ++cuts;
  }
  EXPECT_EQ(end(), 0) << out() << err();
  EXPECT_GE(cuts, 5U);
}

}  // namespace
}  // namespace espalier
