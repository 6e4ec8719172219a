// SPDX-License-Identifier: Apache-2.0
// Transitions alone: no files, no clock, no threads.
#include "orchestrator/run_state.h"

#include "orchestrator/transition_cases.h"
#include "support/text.h"

namespace espalier {
namespace {

constexpr ObjectRef kNoNetwork{};

TEST_F(TransitionTest, WaitsForTheNodesOfTheFirstSet) {
  happen(RunBegan{});
  come("gold-1");
  EXPECT_EQ(count<MakeNetwork>(), 0);
  come("silver-1");
  EXPECT_EQ(count<MakeNetwork>(), 0);
  come("gold-2");
  EXPECT_EQ(count<MakeNetwork>(), 1);
  happen(NetworkMade{network_called("fresh")});
  EXPECT_EQ(count<DispatchTask>(), 2) << "those of gold look at it";
  EXPECT_TRUE(std::holds_alternative<EvaluateWork>(the<DispatchTask>().task.work));
}

TEST_F(TransitionTest, TakesTheMeanLossBySamples) {
  happen(RunBegan{});
  all_come();
  state.nodes.at({"gold-1"}).samples = 300;
  state.nodes.at({"gold-2"}).samples = 100;
  happen(NetworkMade{network_called("fresh")});
  report({"gold-1"}, 1.0);
  report({"gold-2"}, 3.0);
  EXPECT_DOUBLE_EQ(state.course.start.loss.value, 1.5);
  EXPECT_EQ(count<AskStrategy>(), 1);
}

TEST_F(TransitionTest, TrainsAveragesAndLooks) {
  begin_and_look();
  happen(plan_at(here()));
  EXPECT_EQ(count<DispatchTask>(), 2);
  EXPECT_TRUE(std::holds_alternative<TrainWork>(the<DispatchTask>().task.work));
  all_report(1.9, true);
  ASSERT_EQ(count<CombineUpdates>(), 1);
  EXPECT_EQ(the<CombineUpdates>().updates.size(), 2U);
  EXPECT_EQ(the<CombineUpdates>().updates[0].node.value, "gold-1") << "in the order of names";
  happen(RoundCombined{network_called("mean")});
  EXPECT_EQ(count<DispatchTask>(), 2);
  EXPECT_EQ(the<DispatchTask>().task.network, network_called("mean"));
  EXPECT_EQ(count<DropObjects>(), 1);
  EXPECT_TRUE(std::holds_alternative<DropObjects>(actions.back())) << "no node waits for a disk";
  all_report(1.7, false);
  EXPECT_EQ(count<KeepCheckpoint>(), 1);
  EXPECT_EQ(count<AskStrategy>(), 1);
  EXPECT_EQ(state.epochs.size(), 1U);
  EXPECT_DOUBLE_EQ(state.now().loss.value, 1.7);
  EXPECT_EQ(state.network, network_called("mean"));
}

TEST_F(TransitionTest, OneNodeCompressesWhereTheModelChanges) {
  begin_and_look();
  PlacementId smaller{};
  for (std::size_t i = 0; i < setup.problem.size(); ++i) {
    const Placement& at = setup.problem.training({static_cast<std::int32_t>(i)}).at;
    if (at.model.index == 1 && at.nodes.index == 1) smaller = {static_cast<std::int32_t>(i)};
  }
  state.nodes.at({"gold-2"}).samples = 5000;
  happen(plan_at(smaller));
  ASSERT_EQ(count<DispatchTask>(), 1);
  EXPECT_EQ(the<DispatchTask>().node.value, "gold-2") << "who has most samples";
  EXPECT_TRUE(std::holds_alternative<PruneWork>(the<DispatchTask>().task.work));
  report({"gold-2"}, 2.2, "pruned");
  happen(RoundCombined{network_called("pruned")});
  EXPECT_EQ(count<DispatchTask>(), 2);
  EXPECT_EQ(the<DispatchTask>().node.value, "silver-1");
  EXPECT_EQ(the<DispatchTask>().task.network, network_called("pruned"));
}

TEST_F(TransitionTest, EventsThatChangeNothingAreNotKept) {
  begin_and_look();
  happen(NodeHeard{{"gold-1"}});
  EXPECT_TRUE(actions.empty());
  happen(NodeGone{{"nobody"}});
  EXPECT_TRUE(actions.empty());
  happen(TimePassed{});
  EXPECT_TRUE(actions.empty());
  happen(RoundCombined{network_called("x")});
  EXPECT_TRUE(actions.empty());
  report({"gold-1"}, 1);
  EXPECT_TRUE(actions.empty()) << "there is no round";
}

TEST_F(TransitionTest, TellsWhatIsUnderWay) {
  begin_and_look();
  EXPECT_TRUE(std::holds_alternative<AskStrategy>(outstanding(setup, state).at(0)));
  happen(plan_at(here()));
  EXPECT_EQ(outstanding(setup, state).size(), 2U);
  report({"gold-1"}, 1.9, "a");
  EXPECT_EQ(outstanding(setup, state).size(), 1U) << "the other one's task";
  report({"gold-2"}, 1.9, "b");
  EXPECT_TRUE(std::holds_alternative<CombineUpdates>(outstanding(setup, state).at(0)));
  happen(StopAsked{"test"});
  EXPECT_TRUE(std::holds_alternative<FinishRun>(outstanding(setup, state).at(0)));
  happen(RunResumed{});
  EXPECT_TRUE(std::holds_alternative<CombineUpdates>(outstanding(setup, state).at(0)));
}

TEST_F(TransitionTest, LeavesNodesAtTheirWorkWhenItIsStopped) {
  begin_and_look();
  happen(plan_at(here()));
  happen(StopAsked{"test"});
  EXPECT_EQ(count<FinishRun>(), 1);
  EXPECT_EQ(count<WithdrawTask>(), 0) << "it counts when the run is resumed";
}

TEST_F(TransitionTest, ResumesARoundWithTheResultsThatAreIn) {
  begin_and_look();
  happen(plan_at(here()));
  const TaskId id = state.round.id;
  report({"gold-1"}, 1.9, "a");
  happen(RunResumed{});
  EXPECT_EQ(state.round.id, id) << "the same attempt";
  EXPECT_EQ(state.nodes.at({"gold-2"}).presence, Presence::Expected);
  EXPECT_EQ(receipt_for(state, {"gold-1"}, id), Receipt::Duplicate);
  EXPECT_EQ(receipt_for(state, {"gold-2"}, id), Receipt::Accepted);
  report({"gold-2"}, 1.9, "b");
  EXPECT_EQ(count<CombineUpdates>(), 1);
}

TEST_F(TransitionTest, GoesBackToAnEarlierNetwork) {
  begin_and_look();
  for (int epoch = 0; epoch < 3; ++epoch) {
    happen(plan_at(here()));
    all_report(1.9, true);
    happen(RoundCombined{network_called("mean" + std::to_string(epoch))});
    all_report(1.8 - 0.1 * epoch, false);
  }
  happen(WentBack{2, "test"});
  EXPECT_EQ(state.epochs.size(), 2U);
  EXPECT_EQ(state.network, network_called("mean1"));
  EXPECT_EQ(count<AskStrategy>(), 1);
  happen(WentBack{0, "test"});
  EXPECT_EQ(state.network, kNoNetwork);
  EXPECT_EQ(count<MakeNetwork>(), 1);
}

// --- what is planned
// -------------------------------------------------------------------------------------

class Replanning : public TransitionTest {
 protected:
  // So many epochs here, then so many at another placement.
  PlanDecided plan_of(int here_for, int there_for = 0) const {
    PlanDecided plan = plan_at(here());
    plan.stages = {{here(), here_for, {1.5}, {1}, {1}}};
    if (there_for > 0) plan.stages.push_back({{here().index + 1}, there_for, {1}, {2}, {2}});
    return plan;
  }
  void one_epoch() {
    all_report(1.9, true);
    happen(RoundCombined{network_called("mean" + std::to_string(state.epoch_number()))});
    all_report(1.8, false);
  }
  // What is told of the second plan, made an epoch after the first; empty: nothing.
  std::string after(const PlanDecided& first, const PlanDecided& second) {
    happen(first);
    one_epoch();
    happen(second);
    EXPECT_EQ(told.back().json["event"], state.counts.replans > 0 ? "replan" : "plan");
    EXPECT_EQ(told.back().text.empty(), state.counts.replans == 0);
    return told.back().text;
  }
};

TEST_F(Replanning, WhatWasPlannedLessTheEpochThatIsOverIsNoNews) {
  begin_and_look();
  EXPECT_EQ(after(plan_of(3, 4), plan_of(2, 4)), "");
}

TEST_F(Replanning, AnEndThatMovesByOneEpochIsNoNews) {
  begin_and_look();
  EXPECT_EQ(after(plan_of(9), plan_of(7)), "");
}

TEST_F(Replanning, AnEndThatIsFarNearerIsNews) {
  begin_and_look();
  EXPECT_NE(after(plan_of(30), plan_of(9)), "");
}

TEST_F(Replanning, SmallStepsAddUpToNews) {
  begin_and_look();
  EXPECT_EQ(after(plan_of(12), plan_of(10)), "");
  one_epoch();
  happen(plan_of(8));
  EXPECT_EQ(state.counts.replans, 1) << "two epochs fewer than what was told";
  EXPECT_EQ(told.back().json["event"], "replan");
}

TEST_F(Replanning, ASwitchThatMovesIsNewsWithItsReason) {
  begin_and_look();
  const std::string text = after(plan_of(3, 4), plan_of(3, 4));
  EXPECT_TRUE(text.starts_with("new plan, because the loss fell less than planned, to 1.8"))
      << text;
  EXPECT_TRUE(contains(text, "and not 1.5")) << text;
}

TEST_F(Replanning, WhatWasAgreedToIsThePlanUntilTheFirstLook) {
  happen(RunBegan{plan_of(3, 4)});
  all_come();
  happen(NetworkMade{network_called("fresh")});
  all_report(2.5, false);
  ASSERT_TRUE(state.promised);
  happen(plan_of(5, 4));
  EXPECT_EQ(state.counts.replans, 1);
  EXPECT_TRUE(told.back().text.starts_with("new plan, because the fresh network has loss 2.5"))
      << told.back().text;
  EXPECT_EQ(state.promised->energy.value, 2) << "what was agreed to";
}

TEST_F(Replanning, WhatWasAgreedToIsToldAgainWhenItStays) {
  happen(RunBegan{plan_of(3, 4)});
  all_come();
  happen(NetworkMade{network_called("fresh")});
  all_report(2.0, false);
  happen(plan_of(3, 4));
  EXPECT_EQ(state.counts.replans, 0);
  EXPECT_TRUE(told.back().text.starts_with("the plan: 3 epochs")) << told.back().text;
}

TEST_F(TransitionTest, ReplaysToTheSameState) {
  std::vector<RunEvent> events;
  const auto both = [&](RunHappening what) {
    happen(what);
    events.push_back({state.at, std::move(what)});
  };
  both(RunBegan{});
  for (const ExpectedNode& node : setup.expected)
    both(NodeCame{node.name, node.nodes, {"", node.samples, 10, 1, 32, 32, "first", "test"}});
  both(NetworkMade{network_called("fresh")});
  RunState again = first_state(setup);
  for (const RunEvent& event : events) again = on(setup, std::move(again), event).state;
  EXPECT_EQ(again.round.id, state.round.id);
  EXPECT_EQ(again.round.members.size(), state.round.members.size());
  EXPECT_EQ(again.activity, state.activity);
}

}  // namespace
}  // namespace espalier
