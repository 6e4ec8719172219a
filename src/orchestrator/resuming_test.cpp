// SPDX-License-Identifier: Apache-2.0
// Who carries a run on, and that it goes on as if nothing had been.
#include <fstream>

#include "fakes/crashes.h"
#include "orchestrator/run_cases.h"

namespace espalier {
namespace {

using fakes::outcome_of;
using fakes::RunOfFakes;

TEST_F(RunTest, IsCarriedOnByOneProcessAtATime) {
  const RunOfFakes run(folder.path());
  EXPECT_THROW(RunOfFakes(folder.path()), Error);
  EXPECT_EQ(holder_of(run.directory()), ::getpid());
}

TEST_F(RunTest, EndsTheSameWhenItWasStoppedAndResumed) {
  RunOfFakes undisturbed(folder / "undisturbed");
  undisturbed.begin();
  ASSERT_TRUE(undisturbed.finish());
  for (int epoch = 0; epoch < 6; ++epoch) {
    const auto where = folder / ("stopped-" + std::to_string(epoch));
    {
      RunOfFakes run(where);
      run.begin();
      ASSERT_TRUE(run.turn_until(training_of(epoch)));
      std::stop_source stop;
      stop.request_stop();
      run.orchestrator().run(stop.get_token());
      EXPECT_EQ(run.state().end, Ending::Stopped);
    }
    RunOfFakes again(where);
    again.begin();
    ASSERT_TRUE(again.finish());
    EXPECT_EQ(again.state().end, Ending::Reached);
    EXPECT_EQ(outcome_of(again), outcome_of(undisturbed)) << epoch;
  }
}

TEST_F(RunTest, IsNotResumedFromAJournalThatLeadsNowhere) {
  {
    RunOfFakes run(folder.path());
    run.begin();
    ASSERT_TRUE(run.turn_until(training_of(2)));
    run.journal().append(std::vector<RunEvent>{{run.state().at, TimePassed{}}});
  }
  EXPECT_THROW(RunOfFakes(folder.path()), Error) << "nothing was due";
}

// Plans may take longer than nodes are awaited.
TEST_F(RunTest, ListensBeforeItPlansAgain) {
  const auto reading = [&] {
    RunOfFakes run(folder / "whole");
    run.begin();
    EXPECT_TRUE(run.turn_until(training_of(2)));
    return read_journal(run.directory().journal()).events;
  }();
  std::size_t asked = reading.size();
  while (!std::holds_alternative<PlanDecided>(reading[asked - 1].what)) --asked;
  {
    RunOfFakes run(folder / "killed");
    run.journal().append(std::vector(reading.begin(), reading.begin() + asked - 1));
  }
  std::filesystem::remove_all(folder / "killed/objects");
  std::filesystem::copy(folder / "whole/objects", folder / "killed/objects");
  RunOfFakes run(folder / "killed");
  const std::size_t before = run.state().asked.size();
  run.begin();
  EXPECT_EQ(run.state().activity, Activity::Deciding);
  EXPECT_EQ(run.state().asked.size(), before);
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.state().end, Ending::Reached);
}

TEST_F(RunTest, OfManyEpochsIsResumedAsWell) {
  const auto slowly = [](RunOfFakes& run) {
    for (auto& [name, node] : run.nodes)
      node.loss = [](int epochs) { return 2.0 * std::pow(0.95, epochs); };
  };
  {
    RunOfFakes run(folder.path());
    slowly(run);
    run.begin();
    ASSERT_TRUE(run.turn_until(training_of(15)));
  }
  RunOfFakes again(folder.path());
  slowly(again);
  again.begin();
  EXPECT_EQ(again.state().epochs.size(), 15U);
  ASSERT_TRUE(again.finish());
  EXPECT_EQ(again.state().end, Ending::Reached);
}

TEST_F(RunTest, ThatIsOverStaysSo) {
  {
    RunOfFakes run(folder.path());
    run.begin();
    ASSERT_TRUE(run.finish());
  }
  RunOfFakes again(folder.path());
  again.begin();
  EXPECT_TRUE(again.orchestrator().has_ended());
  EXPECT_EQ(again.state().end, Ending::Reached);
}

TEST_F(RunTest, GoesBackOneEpochWhenItsLastNetworkIsDamaged) {
  RunOfFakes undisturbed(folder / "undisturbed");
  undisturbed.begin();
  ASSERT_TRUE(undisturbed.finish());
  const auto where = folder / "damaged";
  {
    RunOfFakes run(where);
    run.begin();
    ASSERT_TRUE(run.turn_until(training_of(4)));
  }
  std::filesystem::remove_all(where / "objects");
  std::fstream file(where / "models/epoch-0004.safetensors",
                    std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(1000);
  file.put('\x7f');
  file.close();
  RunOfFakes again(where);
  again.begin();
  EXPECT_EQ(again.state().epoch_number(), 3);
  ASSERT_TRUE(again.finish());
  EXPECT_EQ(outcome_of(again), outcome_of(undisturbed));
}

TEST_F(RunTest, BeginsAnewWhenNoNetworkIsLeft) {
  RunOfFakes undisturbed(folder / "undisturbed");
  undisturbed.begin();
  ASSERT_TRUE(undisturbed.finish());
  const auto where = folder / "emptied";
  {
    RunOfFakes run(where);
    run.begin();
    ASSERT_TRUE(run.turn_until(training_of(4)));
  }
  std::filesystem::remove_all(where / "objects");
  std::filesystem::remove_all(where / "models");
  RunOfFakes again(where);
  again.begin();
  ASSERT_TRUE(again.finish());
  EXPECT_EQ(outcome_of(again), outcome_of(undisturbed));
}

TEST_F(RunTest, StandsByACommittedPlanWhenResumed) {
  RunOfFakes undisturbed(folder / "undisturbed", fakes::setup_for_fakes(), "depl");
  undisturbed.begin();
  ASSERT_TRUE(undisturbed.finish());
  {
    RunOfFakes run(folder / "stopped", fakes::setup_for_fakes(), "depl");
    run.begin();
    ASSERT_TRUE(run.turn_until(training_of(3)));
  }
  RunOfFakes again(folder / "stopped", fakes::setup_for_fakes(), "depl");
  again.begin();
  ASSERT_TRUE(again.finish());
  EXPECT_EQ(outcome_of(again), outcome_of(undisturbed));
}

// --- where learning is a matter of luck
// ---------------------------------------------------------------

class NoisyRun : public RunTest {
 protected:
  static RunSetup setup() {
    Scenario scenario = fakes::scenario_for_fakes();
    for (RunSpec& run : scenario.runs) run.learn.noise = {0.2, 0.2};
    return fakes::setup_for_fakes(scenario);
  }
  static PlannerOptions quick() {
    PlannerOptions options;
    options.loss_levels = 60;
    options.time_levels = 100;
    options.judged_runs = 1000;
    return options;
  }
  // Undisturbed, and stopped in the fourth epoch and resumed.
  void end_the_same(const std::string& strategy) const {
    RunOfFakes undisturbed(folder / "undisturbed", setup(), strategy, quick());
    undisturbed.begin();
    ASSERT_TRUE(undisturbed.finish());
    EXPECT_EQ(undisturbed.state().end, Ending::Reached);
    EXPECT_GT(undisturbed.state().epochs.size(), 4U);
    {
      RunOfFakes run(folder / "stopped", setup(), strategy, quick());
      run.begin();
      ASSERT_TRUE(run.turn_until(training_of(3)));
    }
    RunOfFakes again(folder / "stopped", setup(), strategy, quick());
    again.begin();
    ASSERT_TRUE(again.finish());
    EXPECT_EQ(outcome_of(again), outcome_of(undisturbed));
  }
};

// These remember what they were asked: a switch that is used up, a grid, a plan to follow.
TEST_F(NoisyRun, OfStrategiesThatRememberGoesOnWhenResumed) {
  for (const char* strategy : {"pact", "one-switch", "static-learn"}) {
    SCOPED_TRACE(strategy);
    end_the_same(strategy);
    folder.remove("undisturbed");
    folder.remove("stopped");
  }
}

TEST_F(NoisyRun, OfAPolicyGoesOnAfterEveryEpochAndWhenResumed) { end_the_same("policy"); }

TEST_F(NoisyRun, OfDeplGoesOnAfterEveryEpochAndWhenResumed) { end_the_same("depl"); }

TEST_F(NoisyRun, TellsTheChanceThatIsLeftWhateverTheStrategy) {
  for (const char* strategy : {"pact", "exact", "depl"}) {
    RunOfFakes run(folder / strategy, setup(), strategy, quick());
    for (auto& [name, node] : run.nodes)
      node.loss = [](int epochs) { return 2.0 * std::pow(0.98, epochs); };
    run.begin();
    ASSERT_TRUE(run.turn_until(training_of(1)));
    ASSERT_TRUE(run.state().plan->chance) << strategy;
    const double early = run.state().plan->chance->probability;
    EXPECT_GT(early, 0.2) << strategy;
    ASSERT_TRUE(run.turn_until(training_of(8))) << strategy;
    const double later = run.state().plan->chance->probability;
    if (std::string(strategy) == "depl") {
      EXPECT_LT(later, early) << "it stands by a plan that learns far less than it was thought to";
    }
  }
}

TEST_F(NoisyRun, OfAPolicyPlansToTheEndFromWhereverItIs) {
  RunOfFakes run(folder.path(), setup(), "policy", quick());
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(2)));
  ASSERT_FALSE(run.state().plan->stages.empty());
  EXPECT_LE(run.state().plan->stages.back().loss.value, 0.6);
  ASSERT_TRUE(run.state().plan->chance) << "of reaching the goal from here";
  EXPECT_GT(run.state().plan->chance->probability, 0.5);
  ASSERT_TRUE(run.state().promised);
  EXPECT_LE(run.state().promised->loss.value, 0.6);
}

}  // namespace
}  // namespace espalier
