// SPDX-License-Identifier: Apache-2.0
// Nodes that are there, and of no use.
#include "orchestrator/run_cases.h"

namespace espalier {
namespace {

using fakes::FakeWork;
using fakes::RunOfFakes;

class FailingNodes : public RunTest {
 protected:
  static void break_down(FakeWork& work) {
    work.result.end = TaskEnd::Failed;
    work.result.message = "out of memory";
    work.result.update.reset();
  }
};

TEST_F(FailingNodes, EndTheRunAndItCanBeResumedWhenTheyAreMended) {
  {
    RunOfFakes run(folder.path());
    run.begin();
    ASSERT_TRUE(run.turn_until(training_of(2)));
    for (auto& [name, node] : run.nodes) node.mischief = break_down;
    ASSERT_TRUE(run.finish({0.5}));
    EXPECT_EQ(run.state().end, Ending::NodesFail);
    EXPECT_EQ(run.state().epochs.size(), 2U);
  }
  RunOfFakes again(folder.path());
  again.begin();
  ASSERT_TRUE(again.finish());
  EXPECT_EQ(again.state().end, Ending::Reached);
}

// They say that they are alive, and never finish anything.
TEST_F(FailingNodes, ThatHangAreNotWaitedForForever) {
  RunOfFakes run(folder.path());
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(2)));
  for (auto& [name, node] : run.nodes) node.is_slow = true;
  const Seconds hang = run.clock().now();
  ASSERT_TRUE(run.turn_until([](const RunState& state) { return state.end.has_value(); }, {5}));
  EXPECT_EQ(run.state().end, Ending::NodesFail);
  const double waited = (run.clock().now() - hang).value;
  EXPECT_GE(waited, 300) << "ten times --patience, for each attempt";
  EXPECT_LE(waited, 3 * 300 + 6 * 3600 + 600) << "two of three sets had not been seen at work";
}

// Also where nothing is known yet of how long a round takes.
TEST_F(FailingNodes, ThatHangFromTheBeginningAreNotWaitedForForever) {
  RunOfFakes run(folder.path());
  run.begin();
  for (auto& [name, node] : run.nodes) node.is_slow = true;
  ASSERT_TRUE(run.turn_until([](const RunState& state) { return state.end.has_value(); }, {20}));
  EXPECT_EQ(run.state().end, Ending::NodesFail);
  EXPECT_TRUE(run.state().epochs.empty());
  EXPECT_LE(run.clock().now().value, 9 * 3600 + 1200)
      << "three attempts of an hour, and three sets";
}

TEST_F(FailingNodes, ThatHangInTheFirstEpochAreNotWaitedForForever) {
  RunOfFakes run(folder.path());
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(0)));
  for (auto& [name, node] : run.nodes) node.is_slow = true;
  ASSERT_TRUE(run.turn_until([](const RunState& state) { return state.end.has_value(); }, {20}));
  EXPECT_EQ(run.state().end, Ending::NodesFail);
  EXPECT_LE(run.clock().now().value, 9 * 3600 + 1200)
      << "three attempts of an hour, and three sets";
}

TEST_F(FailingNodes, OfOneSetThatHangAreDoneWithout) {
  RunOfFakes run(folder.path());
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(2)));
  const NodeSetId hangs = run.state().round.nodes;
  for (auto& [name, node] : run.nodes) node.is_slow = node.nodes() == hangs;
  ASSERT_TRUE(run.turn_until(
      [&](const RunState& state) { return state.end || state.broken.contains(hangs); }, {5}));
  EXPECT_FALSE(run.state().end);
  ASSERT_TRUE(run.finish());
  EXPECT_NE(run.setup().problem.training(run.state().now().placement).at.nodes, hangs);
}

}  // namespace
}  // namespace espalier
