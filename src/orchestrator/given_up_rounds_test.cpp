// SPDX-License-Identifier: Apache-2.0
// Rounds that come to nothing, and what becomes of the run.
#include "orchestrator/run_cases.h"
#include "orchestrator/run_timers.h"
#include "orchestrator/transition_cases.h"
#include "support/text.h"

namespace espalier {
namespace {

using fakes::FakeWork;
using fakes::RunOfFakes;

class GivenUpRounds : public MeasuredTransition {
 protected:
  void lose_set(int index, double at) {
    const auto nodes = state.nodes;
    for (const auto& [name, node] : nodes)
      if (node.nodes.index == index) happen(NodeGone{name}, at);
  }
  void end_with(const NodeName& name, TaskEnd end) {
    TaskResult result;
    result.task = state.round.id;
    result.end = end;
    happen(ResultCame{name, result, ""});
  }
  PlacementId smaller() const {
    for (std::size_t i = 0; i < setup.problem.size(); ++i) {
      const PlacementId id{static_cast<std::int32_t>(i)};
      const Placement& at = setup.problem.training(id).at;
      if (at.model.index == 1 && at.nodes.index == 1) return id;
    }
    return {};
  }
};

TEST_F(GivenUpRounds, ThatNobodyElseCanGoOnWithEndARunThatCanBeResumed) {
  begin_and_look();
  happen(plan_at(here()), 1);
  lose_set(0, 10);
  ASSERT_EQ(state.activity, Activity::Deciding);
  PlanDecided none;
  none.without = {{0}};
  happen(none, 10);
  ASSERT_EQ(state.activity, Activity::Waiting);
  happen(TimePassed{}, 10 + setup.patience.give_up.value);
  ASSERT_EQ(state.end, Ending::NodesGone) << "others are there, but of no use";
  EXPECT_TRUE(can_resume(*state.end));
}

TEST_F(GivenUpRounds, AreNoDivergenceWhereOneNodeIsLostAndTheOtherDiverges) {
  begin_and_look();
  happen(plan_at(here()), 1);
  happen(NodeGone{{"gold-1"}}, 5);
  end_with({"gold-2"}, TaskEnd::Divergent);
  EXPECT_FALSE(state.end);
  EXPECT_EQ(state.activity, Activity::Deciding) << "what to do without gold";
}

TEST_F(GivenUpRounds, AreADivergenceWhereAllDiverge) {
  begin_and_look();
  happen(plan_at(here()), 1);
  end_with({"gold-1"}, TaskEnd::Divergent);
  EXPECT_FALSE(state.end);
  end_with({"gold-2"}, TaskEnd::Divergent);
  EXPECT_EQ(state.end, Ending::Diverged);
}

TEST_F(GivenUpRounds, AreNoDivergenceWhileTheColleaguesAreAway) {
  begin_and_look();
  happen(NodeGone{{"gold-2"}}, 1);
  happen(plan_at(here()), 1);
  ASSERT_EQ(state.round.members.size(), 1U);
  end_with({"gold-1"}, TaskEnd::Divergent);
  EXPECT_NE(state.end, Ending::Diverged) << "nobody knows yet what the others come to";
  PlanDecided none;
  none.without = {{0}};
  happen(none, 2);
  ASSERT_EQ(state.activity, Activity::Waiting);
  happen(TimePassed{}, 3 + setup.patience.give_up.value);
  EXPECT_EQ(state.end, Ending::Diverged) << "they did not come";
}

TEST_F(GivenUpRounds, AreTriedAgainByAllWhenARunIsResumed) {
  begin_and_look();
  happen(plan_at(here()), 1);
  end_with({"gold-1"}, TaskEnd::Refused);
  happen(StopAsked{"test"}, 2);
  happen(RunResumed{}, 3);
  EXPECT_FALSE(state.nodes.at({"gold-1"}).left_out);
}

TEST_F(GivenUpRounds, OfTheFirstLookAreForAnotherSetToDo) {
  happen(RunBegan{});
  all_come();
  happen(NetworkMade{network_called("fresh")});
  const NodeSetId first = state.round.nodes;
  all_fail(1);
  EXPECT_EQ(count<AskStrategy>(), 0) << "nobody knows the loss that it begins with";
  ASSERT_EQ(state.activity, Activity::Working);
  EXPECT_EQ(state.round.kind, RoundKind::FirstLook);
  EXPECT_NE(state.round.nodes, first);
  all_report(2.5, false);
  EXPECT_EQ(count<AskStrategy>(), 1);
  EXPECT_DOUBLE_EQ(state.now().loss.value, 2.5);
}

TEST_F(GivenUpRounds, OfTheFirstLookEverywhereAreWaitedFor) {
  happen(RunBegan{});
  all_come();
  happen(NetworkMade{network_called("fresh")});
  while (state.activity == Activity::Working) all_fail(1);
  EXPECT_EQ(state.activity, Activity::Waiting);
  EXPECT_EQ(state.broken.size(), setup.scenario.node_sets.size());
}

TEST_F(GivenUpRounds, OfANodeThatCannotCompressAreForAnotherToDo) {
  begin_and_look();
  happen(plan_at(smaller()), 1);
  ASSERT_EQ(state.round.kind, RoundKind::Compress);
  const NodeName first = state.round.members.begin()->first;
  end_with(first, TaskEnd::Divergent);
  ASSERT_FALSE(state.end);
  ASSERT_EQ(state.round.kind, RoundKind::Compress);
  EXPECT_NE(state.round.members.begin()->first, first);
}

TEST_F(GivenUpRounds, AreNotRepeatedAfterTheDeadline) {
  begin_and_look();
  happen(plan_at(here()), 1);
  end_with({"gold-1"}, TaskEnd::Failed);
  happen(TimePassed{}, 102);
  end_with({"gold-2"}, TaskEnd::Failed);
  EXPECT_EQ(state.end, Ending::DeadlinePassed);
  EXPECT_EQ(state.counts.repeated_rounds, 0);
  for (const RunLine& line : told) EXPECT_NE(line.json["event"], "round-given-up") << line.text;
}

TEST_F(GivenUpRounds, AreFollowedByNoneOfTheSameName) {
  std::set<TaskId> tasks;
  begin_and_look();
  tasks.insert(state.round.id);
  for (int i = 0; i < 3; ++i) {
    happen(plan_at(here()), 1);
    do {
      EXPECT_TRUE(tasks.insert(state.round.id).second) << "a node would send its old result again";
      end_with({"gold-1"}, TaskEnd::Failed);
      end_with({"gold-2"}, TaskEnd::Failed);
    } while (state.activity == Activity::Working);
    ASSERT_TRUE(state.broken.contains({0}));
    state.broken.clear();
  }
  EXPECT_EQ(tasks.size(), 1 + 9U);
  happen(WentBack{0, "test"});
  happen(NetworkMade{network_called("fresh")});
  EXPECT_TRUE(tasks.insert(state.round.id).second);
}

TEST_F(GivenUpRounds, AreForgottenWhenANodeThaws) {
  begin_and_look();
  happen(plan_at(here()), 1);
  happen(NodeGone{{"gold-2"}}, 5);
  for (const double at : {5, 36, 67}) {
    happen(TimePassed{}, at);
    end_with({"gold-1"}, TaskEnd::Failed);
  }
  ASSERT_TRUE(state.broken.contains({0}));
  happen(NodeHeard{{"gold-2"}}, 68);
  EXPECT_FALSE(state.broken.contains({0}));
}

TEST_F(GivenUpRounds, AreToldWithWhatFollows) {
  begin_and_look();
  happen(plan_at(here()), 1);
  lose_set(0, 10);
  EXPECT_EQ(told.back().json["event"], "round-given-up");
  EXPECT_TRUE(contains(told.back().text, "there is nobody of gold")) << told.back().text;
}

TEST_F(GivenUpRounds, OfTheFirstLookTellNoLoss) {
  happen(RunBegan{});
  all_come();
  happen(NetworkMade{network_called("fresh")});
  lose_set(0, 10);
  for (const RunLine& line : told) EXPECT_NE(line.json["event"], "first-look") << "nobody looked";
}

// Of one process of a round under way that never comes back.
TEST_F(GivenUpRounds, AreNotHeldUpByNodesThatEnrolAgainAndAgain) {
  begin_and_look();
  happen(plan_at(here()), 1);
  happen(RunResumed{}, 2);
  come("gold-1");
  const auto until = expecting_until(setup, state);
  ASSERT_TRUE(until);
  happen(TimePassed{}, 10);
  come("gold-1");
  EXPECT_EQ(expecting_until(setup, state), until);
}

TEST_F(GivenUpRounds, LeaveNoUpdatesBehind) {
  const TemporaryFolder folder{fakes::quick_folder()};
  RunOfFakes run(folder.path());
  for (auto& [name, node] : run.nodes) {
    if (!name.ends_with("-1")) continue;
    node.mischief = [](FakeWork& work) {
      if (trains(work.task)) work.result.samples = 1'000'000;
    };
  }
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(1)));
  EXPECT_GT(run.state().counts.bad_results, 0);
  const RunState& now = run.state();
  for (const auto& entry : std::filesystem::directory_iterator(run.directory().objects())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == now.network.sha256 || name == now.epoch.network.sha256) << name;
  }
}

// --- what is told once
// ----------------------------------------------------------------------------------------

class ToldOnce : public TransitionTest {
 protected:
  int epochs_told() const {
    return static_cast<int>(std::ranges::count_if(
        told, [](const RunLine& line) { return line.json["event"] == "epoch"; }));
  }
  void train() {
    all_report(1.9, true);
    happen(RoundCombined{network_called("mean" + std::to_string(state.epoch_number()))});
    all_report(1.8, false);
  }
};

TEST_F(ToldOnce, AnEpochWhoseRunIsStoppedWhileItPlans) {
  begin_and_look();
  happen(plan_at(here()));
  train();
  EXPECT_EQ(epochs_told(), 0);
  happen(StopAsked{"somebody"});
  EXPECT_EQ(epochs_told(), 1);
  happen(RunResumed{});
  happen(plan_at(here()));
  EXPECT_EQ(epochs_told(), 0);
}

TEST_F(ToldOnce, AnEpochThatTheRunGoesBackTo) {
  begin_and_look();
  for (int i = 0; i < 2; ++i) {
    happen(plan_at(here()));
    train();
  }
  happen(plan_at(here()));
  happen(WentBack{1, "test"});
  happen(plan_at(here()));
  EXPECT_EQ(epochs_told(), 0) << "the first one is known";
  train();
  happen(plan_at(here()));
  EXPECT_EQ(epochs_told(), 1) << "the second one is another";
}

}  // namespace
}  // namespace espalier
