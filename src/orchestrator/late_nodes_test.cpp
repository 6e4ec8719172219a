// SPDX-License-Identifier: Apache-2.0
// For whom a round waits, and how long: what the plan has time for.
#include "orchestrator/plan_margin.h"
#include "orchestrator/run_cases.h"
#include "orchestrator/run_timers.h"
#include "orchestrator/transition_cases.h"
#include "support/text.h"

namespace espalier {
namespace {

using fakes::RunOfFakes;

// Epochs of two nodes, which have half of the samples each. The plan is made at 1 s.
class LateNodes : public MeasuredTransition {
 protected:
  // That what is left may take so many times as long as planned.
  PlanDecided plan_with(double stretch) const {
    PlanDecided plan = plan_at(here());
    const Seconds now = state.now().time;
    plan.stages.back().time = now + (setup.problem.goal().deadline - now) * (1 / stretch);
    return plan;
  }
  void begin_training(double stretch) {
    if (state.epochs.empty()) begin_and_look();
    happen(plan_with(stretch), 1);
    ASSERT_EQ(state.round.members.size(), 2U);
  }
  void report_at(double at, const std::string& node) {
    happen(TimePassed{}, at);
    report({node}, 1.9, node + std::to_string(state.epoch_number()));
  }
  double waits_until() const { return cut_off(setup, state).value_or(Seconds{-1}).value; }
  // The rest of an epoch.
  void close() {
    happen(RoundCombined{network_called("mean" + std::to_string(state.epoch_number()))});
    all_report(1.8, false);
  }

  const std::string quick = "gold-1";
  const std::string slow = "gold-2";
};

TEST_F(LateNodes, GetATenthOfThePatienceFromAPlanWithoutSlack) {
  begin_training(1);
  report_at(11, quick);
  EXPECT_DOUBLE_EQ(waits_until(), 11 + setup.patience.wait.value / 10);
}

TEST_F(LateNodes, GetNoMoreThanTheSlackThatThereIs) {
  begin_training(1.1);
  const double slack = 100 - 100 / 1.1;
  report_at(11, quick);
  EXPECT_NEAR(waits_until(), 1 + 10 + slack, 1e-9);
}

TEST_F(LateNodes, AreNotWaitedForUntilItIsTooLate) {
  begin_training(1.2);
  report_at(95, quick);
  EXPECT_NEAR(waits_until(), 1 + 100 - setup.patience.wait.value / 10, 1e-3);
  report_at(97.9, slow);
  EXPECT_EQ(count<CombineUpdates>(), 1);
}

TEST_F(LateNodes, GetNoSlackThatWasUsedUpSinceThePlan) {
  begin_training(1.5);
  for (const std::string& node : {quick, slow}) {
    TaskResult failed;
    failed.task = state.round.id;
    failed.end = TaskEnd::Failed;
    happen(ResultCame{{node}, failed, ""}, 31);
  }
  ASSERT_DOUBLE_EQ(state.round.began.value, 31) << "the second attempt";
  report_at(41, quick);
  const double left = 100 - 30 - 100 / 1.5;
  EXPECT_NEAR(waits_until(), 31 + 10 + left, 1e-9);
  EXPECT_GT(state.round.quorum, 0.9) << "there was time for more than that at first";
}

TEST_F(LateNodes, AreNotWaitedForWhileTheFirstEpochIsYetToBeLookedAt) {
  happen(RunBegan{});
  all_come();
  happen(NetworkMade{network_called("fresh")});
  happen(TimePassed{}, 5);
  report({quick}, 2.0);
  happen(TimePassed{}, 5.5);
  report({slow}, 2.0);
  for (const auto& [name, result] : std::map(state.round.members)) report(name, 2.0);
  ASSERT_EQ(state.activity, Activity::Deciding);
  const double asked = state.at.value;
  happen(plan_with(1.2), asked);
  report_at(90, quick);
  EXPECT_NEAR(waits_until(), asked + 100 - 5 - setup.patience.wait.value / 10, 1e-3)
      << "a look took 5 s";
}

TEST_F(LateNodes, GetMoreTimeFromALoosePlan) {
  begin_training(3);
  report_at(11, quick);
  EXPECT_DOUBLE_EQ(waits_until(), 1 + (3 + 1) * 10);
  happen(TimePassed{}, 40);
  EXPECT_EQ(state.activity, Activity::Working);
  report_at(40, slow);
  close();
  ASSERT_EQ(state.epochs.size(), 1U);
  EXPECT_EQ(state.epochs[0].members, 2U);
}

TEST_F(LateNodes, GetNoMoreThanFiveTimesTheUsualTime) {
  begin_training(1000);
  report_at(11, quick);
  EXPECT_DOUBLE_EQ(waits_until(), 1 + 5 * 10);
}

TEST_F(LateNodes, AreDoneWithoutAndToldOf) {
  begin_training(1);
  report_at(11, quick);
  happen(TimePassed{}, 22);
  EXPECT_EQ(count<CombineUpdates>(), 1);
  EXPECT_EQ(the<WithdrawTask>().node.value, slow);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].text, "epoch 1 goes on without gold-2: not done after 21 s");
  EXPECT_EQ(told[0].json["event"], "not-waited-for");
  happen(RoundCombined{network_called("mean")});
  all_report(1.8, false);
  ASSERT_EQ(state.epochs.size(), 1U);
  EXPECT_EQ(state.epochs[0].members, 1U);
  EXPECT_EQ(state.epochs[0].selected, 2U);
  happen(plan_with(1));
  EXPECT_TRUE(contains(told.front().text, "1 of 2 nodes")) << told.front().text;
}

TEST_F(LateNodes, GetNoSlackTwiceUnlessTheyWereInTimeSince) {
  begin_training(4);
  report_at(11, quick);
  happen(TimePassed{}, 51);
  ASSERT_TRUE(state.nodes.at({slow}).is_late);
  close();
  begin_training(4);
  const double second = state.round.began.value;
  report_at(second + 10, quick);
  EXPECT_DOUBLE_EQ(waits_until(), second + 10 + 3);
  report_at(second + 12, slow);
  EXPECT_FALSE(state.nodes.at({slow}).is_late);
  close();
  begin_training(1.5);
  const double third = state.round.began.value;
  report_at(third + 10, quick);
  EXPECT_GT(waits_until(), third + 20);
}

TEST_F(LateNodes, MayBeLateToLook) {
  begin_training(4);
  report_at(11, quick);
  report_at(11, slow);
  happen(RoundCombined{network_called("mean")});
  ASSERT_EQ(state.round.kind, RoundKind::Look);
  report_at(12, quick);
  EXPECT_DOUBLE_EQ(waits_until(), 12 + setup.patience.wait.value);
  happen(TimePassed{}, waits_until());
  EXPECT_EQ(state.epochs.size(), 1U);
  EXPECT_FALSE(state.nodes.at({slow}).is_late);
}

// Of an orchestrator that was killed when half of the round was in.
TEST_F(LateNodes, GetTimeToFindAnOrchestratorThatWasAway) {
  begin_training(1);
  report_at(11, quick);
  happen(RunResumed{}, 11.5);
  happen(TimePassed{}, 14.5);
  EXPECT_EQ(state.activity, Activity::Working);
  EXPECT_LT(waits_until(), 0) << "as long as they are expected";
  happen(TimePassed{}, 26);
  come(slow);
  EXPECT_DOUBLE_EQ(waits_until(), 26 + 10) << "a round begins anew for them";
  report_at(30, slow);
  come(quick);
  close();
  EXPECT_EQ(state.epochs.at(0).members, 2U);
}

TEST_F(LateNodes, ThatDoNotFindItAreLostAfterThePatience) {
  begin_training(1);
  report_at(11, quick);
  happen(RunResumed{}, 11.5);
  come(quick);
  happen(TimePassed{}, 11.6 + setup.patience.wait.value);
  EXPECT_EQ(state.nodes.at({slow}).presence, Presence::Lost);
  happen(TimePassed{}, 11.7 + setup.patience.wait.value);
  EXPECT_EQ(count<CombineUpdates>(), 1);
}

TEST_F(LateNodes, DoNotCompressWhereAnotherCan) {
  begin_and_look();
  for (auto& [name, node] : state.nodes) node.is_late = name.value == "gold-1";
  PlacementId smaller{};
  for (std::size_t i = 0; i < setup.problem.size(); ++i)
    if (setup.problem.training({static_cast<std::int32_t>(i)}).at.model.index == 1)
      smaller = {static_cast<std::int32_t>(i)};
  happen(plan_at(smaller), 1);
  ASSERT_EQ(count<DispatchTask>(), 1);
  EXPECT_EQ(the<DispatchTask>().node.value, "gold-2");
}

// --- those who are lost
// ----------------------------------------------------------------------------------

TEST_F(LateNodes, ThatAreLostAreDoneWithoutWhereThereIsTimeForMoreEpochs) {
  begin_training(2);
  report_at(11, quick);
  happen(NodeGone{{slow}}, 12);
  EXPECT_EQ(count<CombineUpdates>(), 1);
  EXPECT_EQ(the<WithdrawTask>().node.value, slow);
}

TEST_F(LateNodes, ThatAreLostAreWaitedForWhereTheGoalNeedsAll) {
  begin_training(1);
  report_at(11, quick);
  happen(NodeGone{{slow}}, 12);
  EXPECT_EQ(state.activity, Activity::Working);
  EXPECT_EQ(count<WithdrawTask>(), 0);
  happen(NodeHeard{{slow}}, 13);
  report_at(13.5, slow);
  close();
  ASSERT_EQ(state.epochs.size(), 1U);
  EXPECT_EQ(state.epochs[0].members, 2U);
}

TEST_F(LateNodes, ThatAreLostAreNotWaitedForBeyondTheCutOff) {
  begin_training(1);
  report_at(11, quick);
  happen(NodeGone{{slow}}, 12);
  happen(TimePassed{}, 22);
  EXPECT_EQ(count<CombineUpdates>(), 1);
}

TEST_F(LateNodes, ThatAreLostAreNotWaitedForWhereAllAreLost) {
  begin_training(1.2);
  report_at(11, quick);
  happen(NodeGone{{slow}}, 12);
  ASSERT_EQ(state.activity, Activity::Working);
  happen(NodeGone{{quick}}, 13);
  EXPECT_NE(state.activity, Activity::Working);
}

TEST_F(LateNodes, OfWhomNobodyIsThereAreNotWaitedFor) {
  begin_training(1);
  happen(NodeGone{{slow}}, 2);
  EXPECT_EQ(state.activity, Activity::Working);
  happen(NodeGone{{quick}}, 3);
  EXPECT_NE(state.activity, Activity::Working);
  EXPECT_EQ(count<WithdrawTask>(), 2);
}

TEST(PlanMargin, NeedsTheMoreTheLessTimeThereIs) {
  EXPECT_DOUBLE_EQ(needed_share(std::nullopt), 0.5);
  EXPECT_DOUBLE_EQ(needed_share(PlanMargin{{}, 1}), 1);
  EXPECT_DOUBLE_EQ(needed_share(PlanMargin{{}, 1.25}), 0.8);
  EXPECT_DOUBLE_EQ(needed_share(PlanMargin{{}, 10}), 0.5);
}

// Compressing is a round of its own; the way to other nodes is part of the one that trains.
TEST(PlanMargin, IsThatOfWhatIsLeftWhenARoundBegins) {
  Scenario scenario = fakes::scenario_for_fakes();
  scenario.node_changes = std::vector{NodeChangeSpec{.from = {0}, .to = {1}, .time = {30}}};
  scenario.model_changes = {ModelChangeSpec{.from = {0}, .to = {1}, .time = {10}}};
  RunSetup setup = fakes::setup_for_fakes(scenario);
  setup.accounting = Accounting::Measured;
  RunState state = first_state(setup);
  state.outlay.since = Seconds{5};
  const auto margin_to = [&](int model, int nodes, RoundKind kind, double at) {
    PlanDecided plan;
    for (std::size_t i = 0; i < setup.problem.size(); ++i) {
      const PlacementId id{static_cast<std::int32_t>(i)};
      const Placement& place = setup.problem.training(id).at;
      if (place.model.index == model && place.nodes.index == nodes) plan.next = Step{id};
    }
    plan.stages = {{plan.next->placement, 1, {}, {80}, {}}};
    plan.spent = Spent{};
    state.plan = plan;
    return margin_of(setup, state, kind, Seconds{at}).value().slack.value;
  };
  ASSERT_EQ(setup.problem.goal().deadline, Seconds{100});
  EXPECT_DOUBLE_EQ(margin_to(0, 0, RoundKind::Train, 5), 20);
  EXPECT_DOUBLE_EQ(margin_to(0, 0, RoundKind::Train, 17), 8) << "12 s went by";
  EXPECT_DOUBLE_EQ(margin_to(0, 1, RoundKind::Train, 5), 20) << "the way is yet to go";
  EXPECT_DOUBLE_EQ(margin_to(1, 1, RoundKind::Compress, 5), 20);
  EXPECT_DOUBLE_EQ(margin_to(1, 1, RoundKind::Train, 15), 20) << "compressed as planned";
}

// --- of whom nobody gets done
// ----------------------------------------------------------------------------

TEST_F(LateNodes, ThatAllHangAreFoundOutSoonerWhenItIsKnownHowLongTheyTake) {
  begin_training(4);
  EXPECT_DOUBLE_EQ(waits_until(), 1 + 300) << "ten times --patience";
  report_at(9, quick);
  report_at(9, slow);
  close();
  begin_training(4);
  EXPECT_DOUBLE_EQ(waits_until() - state.round.began.value, (4 + 1) * 8)
      << "what there is time for";
  happen(TimePassed{}, waits_until());
  EXPECT_EQ(state.counts.repeated_rounds, 1);
  EXPECT_DOUBLE_EQ(waits_until() - state.round.began.value, 2 * setup.patience.wait.value)
      << "what only took longer gets done the next time, but there is less time for it";
}

TEST_F(LateNodes, OfASetThatWasNotSeenAtWorkMayTakeLongerThanPlanned) {
  begin_training(4);
  report_at(21, quick);
  report_at(21, slow);
  close();
  PlanDecided plan = plan_at(at_silver());
  happen(plan, 22);
  ASSERT_EQ(state.round.kind, RoundKind::Train);
  EXPECT_DOUBLE_EQ(waits_until() - state.round.began.value, 10 * setup.patience.wait.value);
}

// Who has most of the samples says that it is alive, and never finishes: nothing is half done.
TEST_F(LateNodes, ThatHaveMostOfTheSamplesAreNotWaitedForForEver) {
  state.nodes.at({slow}).samples += 500;
  happen(RunBegan{});
  all_come();
  happen(NetworkMade{network_called("fresh")});
  ASSERT_EQ(state.round.kind, RoundKind::FirstLook);
  EXPECT_DOUBLE_EQ(waits_until(), 120 * setup.patience.wait.value) << "nothing is known yet";
  report({quick}, 2.0);
  for (int attempt = 0; attempt < 3 && state.activity == Activity::Working; ++attempt) {
    happen(TimePassed{}, waits_until());
    if (state.activity == Activity::Working) report({quick}, 2.0);
  }
  EXPECT_EQ(state.activity, Activity::Deciding) << "with what the other says";
  EXPECT_TRUE(state.usual.empty()) << "no measure for rounds to come";
}

// --- in whole runs
// ---------------------------------------------------------------------------------------

TEST_F(RunTest, DoesNotWaitForStragglers) {
  RunOfFakes run(folder.path());
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(1)));
  auto& slow = run.nodes.at(run.state().round.members.begin()->first.value);
  slow.is_slow = true;
  const Seconds begun = run.clock().now();
  ASSERT_TRUE(
      run.turn_until([](const RunState& state) { return state.epoch_number() == 2; }, {0.5}));
  EXPECT_GE((run.clock().now() - begun).value, 30);
  EXPECT_LE((run.clock().now() - begun).value, 2 * 30 + 5) << "training, and looking";
  EXPECT_EQ(run.state().epochs[1].members, 1U);
  slow.is_slow = false;
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.state().end, Ending::Reached);
  EXPECT_GT(run.state().counts.dropped.late, 0) << "what it sends of old tasks";
}

}  // namespace
}  // namespace espalier
