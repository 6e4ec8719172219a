// SPDX-License-Identifier: Apache-2.0
// Transitions alone: no files, no clock, no threads.
#include "orchestrator/run_state.h"

#include <gtest/gtest.h>

#include "fakes/run_of_fakes.h"
#include "orchestrator/narration.h"
#include "orchestrator/run_timers.h"
#include "support/text.h"

namespace espalier {
namespace {

constexpr ObjectRef kNoNetwork{};

ObjectRef network_called(const std::string& name) { return object_of(name); }

// A run that is told what happens.
class TransitionTest : public testing::Test {
 protected:
  void happen(RunHappening what, double at = 0) {
    now_ = std::max(now_, at);
    const RunEvent event{{now_}, std::move(what)};
    RunTransition next = on(setup, state, event);
    told = Narrator(setup).tell(state, event, next.state);
    state = std::move(next.state);
    actions = std::move(next.actions);
  }
  template <class Action>
  int count() const {
    int found = 0;
    for (const RunAction& action : actions) found += std::holds_alternative<Action>(action);
    return found;
  }
  template <class Action>
  const Action& the() const {
    for (const RunAction& action : actions)
      if (const auto* one = std::get_if<Action>(&action)) return *one;
    throw std::runtime_error("no such action");
  }
  void come(const std::string& name) {
    const auto& node = state.nodes.at({name});
    Hello hello{"", node.samples, 10, 1, 32, 32, "first", "test"};
    happen(NodeCame{{name}, node.nodes, hello});
  }
  void all_come() {
    for (const ExpectedNode& node : setup.expected) come(node.name.value);
  }
  void report(const NodeName& node, double loss, const std::string& update = "",
              const EnergyReading& energy = {}) {
    TaskResult result;
    result.energy = energy;
    result.task = state.round.id;
    result.loss = {loss};
    result.samples = 10;
    if (!update.empty()) result.update = network_called(update);
    happen(ResultCame{node, result, ""});
  }
  void all_report(double loss, bool with_updates) {
    const auto members = state.round.members;
    for (const auto& [name, result] : members)
      report(name, loss, with_updates ? name.value + std::to_string(state.epoch_number()) : "");
  }
  void begin_and_look() {
    happen(RunBegan{});
    all_come();
    happen(NetworkMade{network_called("fresh")});
    all_report(2.0, false);
  }
  PlanDecided plan_at(PlacementId placement) const {
    PlanDecided plan;
    plan.verdict = Verdict::Feasible;
    plan.next = Step{placement, {1.5}, {1}, {1}, 0};
    plan.stages = {{placement, 1, {1.5}, {1}, {1}}};
    return plan;
  }
  PlacementId here() const { return state.now().placement; }

  explicit TransitionTest(Accounting accounting = Accounting::Modelled)
      : setup(setup_with(accounting)) {}

  const RunSetup setup;
  RunState state = first_state(setup);
  std::vector<RunAction> actions;
  std::vector<RunLine> told;  // of the last event

 private:
  static RunSetup setup_with(Accounting accounting) {
    RunSetup setup = fakes::setup_for_fakes();
    setup.accounting = accounting;
    return setup;
  }

  double now_ = 0;
};

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

// --- what is measured
// ------------------------------------------------------------------------------------

class MeasuredTransition : public TransitionTest {
 protected:
  MeasuredTransition() : TransitionTest(Accounting::Measured) {}

  // Everybody of the round breaks, until its node set counts as broken.
  void all_fail(double at) {
    const std::size_t broken = state.broken.size();
    while (state.broken.size() == broken && state.activity == Activity::Working) {
      const auto members = state.round.members;
      for (const auto& [name, result] : members) {
        TaskResult failed;
        failed.task = state.round.id;
        failed.end = TaskEnd::Failed;
        failed.energy = {{3}, Provenance::Measured, "a sensor"};
        happen(ResultCame{name, failed, ""}, at);
      }
    }
  }
  void all_tell(double loss, bool with_updates, const EnergyReading& energy) {
    const auto members = state.round.members;
    for (const auto& [name, result] : members)
      report(name, loss, with_updates ? name.value : "", energy);
  }
  void train_and_look(const EnergyReading& energy, double at) {
    all_tell(1.9, true, energy);
    happen(RoundCombined{network_called("mean" + std::to_string(state.epoch_number()))}, at);
    all_tell(1.8, false, energy);
  }
  PlacementId at_silver() const {
    for (std::size_t i = 0; i < setup.problem.size(); ++i) {
      const PlacementId id{static_cast<std::int32_t>(i)};
      const Placement& at = setup.problem.training(id).at;
      if (at.nodes.index == 1 && at.model == setup.problem.training(here()).at.model) return id;
    }
    return {};
  }
};

TEST_F(MeasuredTransition, RoundsThatCameToNothingCount) {
  begin_and_look();
  happen(plan_at(here()), 2);
  all_fail(7);
  ASSERT_EQ(count<AskStrategy>(), 1) << "what to do without gold";
  EXPECT_DOUBLE_EQ(standing(setup, state).time.value, 5) << "since the first plan";
  happen(plan_at(at_silver()), 8);
  train_and_look({{2}, Provenance::Measured, "a sensor"}, 12);
  ASSERT_EQ(state.epochs.size(), 1U);
  EXPECT_DOUBLE_EQ(state.now().time.value, 10);
  EXPECT_DOUBLE_EQ(state.now().energy.value, 6 * 3 + 4 * 2) << "three attempts, and the epoch";
}

TEST_F(MeasuredTransition, TheDeadlineAlsoPassesWhileNobodyWorks) {
  begin_and_look();
  happen(plan_at(here()), 1);
  const auto nodes = state.nodes;
  for (const bool trains : {false, true}) {
    for (const auto& [name, node] : nodes)
      if ((node.nodes.index == 0) == trains) happen(NodeGone{name}, 60);
  }
  ASSERT_EQ(state.activity, Activity::Waiting);
  EXPECT_EQ(next_timer(setup, state)->value,
            std::min(60.0 + 60, (setup.problem.goal().time_bound()).value + 1));
  happen(TimePassed{}, 101.5);
  EXPECT_EQ(state.end, Ending::DeadlinePassed);
  EXPECT_DOUBLE_EQ(standing(setup, state).time.value, 100.5);
}

TEST_F(MeasuredTransition, EnergyCarriesTheSourceOfItsWeakestPart) {
  happen(RunBegan{});
  all_come();
  happen(NetworkMade{network_called("fresh")});
  all_tell(2.0, false, {{5}, Provenance::Estimated, "a guess"});
  EXPECT_EQ(standing(setup, state).energy.value, 0) << "before the first plan";
  EXPECT_EQ(text_of(energy_source(setup, state)), "measured: no node has told of any");
  happen(plan_at(here()), 1);
  const auto members = state.round.members;
  report(members.begin()->first, 1.9, "a", {{2}, Provenance::Measured, "a sensor"});
  report(members.rbegin()->first, 1.9, "b", {{2}, Provenance::Modelled, "a table"});
  happen(RoundCombined{network_called("mean")}, 2);
  all_tell(1.8, false, {{1}, Provenance::Measured, "a sensor"});
  ASSERT_EQ(state.epochs.size(), 1U);
  EXPECT_EQ(state.epochs[0].provenance, Provenance::Modelled);
  EXPECT_EQ(state.epochs[0].source, "a table");
  happen(plan_at(here()), 3);
  train_and_look({{2}, Provenance::Measured, "a sensor"}, 4);
  ASSERT_EQ(state.epochs.size(), 2U);
  EXPECT_EQ(state.epochs[1].source, "a sensor");
  EXPECT_EQ(text_of(energy_source(setup, state)), "modelled: a table") << "of the whole run";
}

TEST_F(MeasuredTransition, EpochsThatAreTrainedAgainWerePaidForAllTheSame) {
  begin_and_look();
  happen(plan_at(here()), 1);
  train_and_look({{2}, Provenance::Measured, "a sensor"}, 5);
  const State before = state.now();
  happen(WentBack{0, "test"}, 5);
  EXPECT_EQ(standing(setup, state).time, before.time);
  EXPECT_EQ(standing(setup, state).energy, before.energy);
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
