// SPDX-License-Identifier: Apache-2.0
// Time and energy where they are measured.
#include "orchestrator/run_cases.h"
#include "orchestrator/run_timers.h"
#include "orchestrator/transition_cases.h"

namespace espalier {
namespace {

using fakes::RunOfFakes;

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

// A process that is killed forgets at most the time since the last event.
TEST_F(MeasuredTransition, TimeIsWrittenDownAlsoWhereNothingHappens) {
  begin_and_look();
  EXPECT_FALSE(next_timer(setup, state) && next_timer(setup, state)->value <= 60)
      << "it does not count before the first plan";
  happen(plan_at(here()), 2);
  ASSERT_TRUE(next_timer(setup, state));
  EXPECT_LE(next_timer(setup, state)->value, 2 + 60);
  happen(TimePassed{}, 62);
  EXPECT_EQ(count<KeepEvent>(), 1);
  EXPECT_TRUE(told.empty());
  EXPECT_DOUBLE_EQ(standing(setup, state).time.value, 60);
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

// --- in whole runs
// ---------------------------------------------------------------------------------------

TEST_F(RunTest, CountsWhatIsMeasuredWhereNodesAreReal) {
  RunSetup setup = fakes::setup_for_fakes();
  setup.accounting = Accounting::Measured;
  RunOfFakes run(folder.path(), setup);
  run.begin();
  ASSERT_TRUE(run.finish({0.1}));
  EXPECT_EQ(run.state().end, Ending::Reached);
  EXPECT_EQ(run.state().epochs.back().provenance, Provenance::Measured);
  EXPECT_EQ(run.state().epochs.back().source, "a fake");
  EXPECT_GT(run.state().now().time.value, 0);
  // Each node says 2 J for every task of an epoch: at least training and looking, by two nodes.
  EXPECT_GE(run.state().now().energy.value, 8.0 * run.state().epoch_number());
}

TEST_F(RunTest, PaysForWhatComesTooLate) {
  RunSetup setup = fakes::setup_for_fakes();
  setup.accounting = Accounting::Measured;
  setup.scenario.goal.deadline = Seconds{2000};
  setup.problem = without_growing(Problem::estimated(setup.scenario), setup.scenario);
  RunOfFakes run(folder.path(), setup);
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(1)));
  auto& slow = run.nodes.at(run.state().round.members.begin()->first.value);
  slow.is_slow = true;
  ASSERT_TRUE(
      run.turn_until([](const RunState& state) { return state.epoch_number() == 2; }, {0.5}));
  slow.is_slow = false;
  ASSERT_TRUE(run.finish());
  ASSERT_GT(run.state().counts.dropped.late, 0);
  double told = 0;
  for (const auto& [name, node] : run.nodes)
    for (const TaskId& task : node.done)
      told += task.round == static_cast<int>(RoundKind::FirstLook) ? 0 : 2;
  EXPECT_DOUBLE_EQ(standing(run.setup(), run.state()).energy.value, told);
}

TEST_F(RunTest, PlansAgainWhenEpochsTakeLongerThanPlanned) {
  RunSetup setup = fakes::setup_for_fakes();
  setup.accounting = Accounting::Measured;
  RunOfFakes run(folder.path(), setup);
  run.begin();
  // Three times as long as the epochs of the scenario.
  ASSERT_TRUE(run.turn_until(training_of(4), {3}));
  const RunState& state = run.state();
  const Seconds usual = run.setup().problem.training(state.now().placement).time;
  EXPECT_GE(state.epochs[3].step.time - state.epochs[2].step.time, usual * 2);
  EXPECT_GE(state.plan->next->time, state.now().time + usual) << "from where it really is";
  ASSERT_TRUE(run.finish({5}));
}

TEST_F(RunTest, EndsAfterTheDeadline) {
  RunSetup setup = fakes::setup_for_fakes();
  setup.accounting = Accounting::Measured;
  RunOfFakes run(folder.path(), setup);
  run.begin();
  ASSERT_TRUE(run.finish({20}));
  EXPECT_EQ(run.state().end, Ending::DeadlinePassed);
  EXPECT_LE(run.state().epochs.size(), 3U);
}

}  // namespace
}  // namespace espalier
