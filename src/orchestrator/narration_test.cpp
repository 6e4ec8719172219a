// SPDX-License-Identifier: Apache-2.0
// What people read while a run goes on, and at its end.
#include "orchestrator/run_cases.h"
#include "orchestrator/run_summary.h"
#include "orchestrator/transition_cases.h"
#include "support/text.h"

namespace espalier {
namespace {

class Narration : public TransitionTest {
 protected:
  // Everything that was told since the last call.
  std::string page() const {
    std::string text;
    for (const RunLine& line : told)
      if (!line.text.empty()) text += line.text + "\n";
    return text;
  }
  void train(double loss) {
    all_report(1.9, true);
    happen(RoundCombined{network_called("mean" + std::to_string(state.epoch_number()))});
    all_report(loss, false);
  }
};

TEST_F(Narration, AnEpochIsOneLineWithWhatFollowsFromIt) {
  begin_and_look();
  happen(plan_at(here()));
  train(1.8);
  EXPECT_EQ(page(), "") << "the chance that is left is not known yet";
  PlanDecided plan = plan_at(here());
  plan.chance = Chance{0.875, {0.8, 0.9}, 2000, {1}};
  happen(plan);
  EXPECT_TRUE(
      page().starts_with("epoch 1   loss 1.8 (planned 1.5) · L on gold · 9.000 J modelled "
                         "(planned 1.000 J) · 1 min 39 s left · P 0.875\n"))
      << page();
  EXPECT_EQ(told[0].json["probability"], 0.875);
  EXPECT_EQ(told[0].json["provenance"], "modelled");
}

TEST_F(Narration, TheLastEpochIsToldWithTheEnd) {
  begin_and_look();
  happen(plan_at(here()));
  train(0.3);
  ASSERT_EQ(state.end, Ending::Reached);
  EXPECT_TRUE(page().starts_with("epoch 1   loss 0.3 (planned 1.5)")) << page();
}

TEST_F(Narration, TheEndTellsWhatWasPlannedAndSpentAndWhereTheModelIs) {
  begin_and_look();
  happen(plan_at(here()));
  train(0.3);
  const RunSummary summary{"runs/one", setup, state, {"espalier logs runs/one"}};
  EXPECT_EQ(summary_text(summary, Ink::none()),
            "The goal is reached: loss 0.3 (goal 0.6)\n"
            "  energy 9.000 J, planned at first 1.000 J   (modelled: the scenario)\n"
            "  time   1 s of 1 min 40 s, planned at first 1 s   (modelled: the scenario)\n"
            "  1 epoch, 0 switches, 0 nodes lost, 0 changes of the plan\n"
            "  model: runs/one/models/epoch-0001.safetensors\n"
            "\n"
            "next   espalier logs runs/one\n");
}

TEST_F(Narration, AStrategyThatGivesUpSaysWhy) {
  begin_and_look();
  PlanDecided none;
  none.notes = {"gave up: going on would cost more than it is worth"};
  happen(none);
  EXPECT_TRUE(contains(page(), "there is no plan that could go on from here: gave up: going on"))
      << page();
  const RunSummary summary{"runs/one", setup, state, {}};
  EXPECT_TRUE(contains(summary_text(summary, Ink::none()), "knows no way to go on: gave up"));
}

TEST_F(Narration, ANodeThatComesBackAndEnrolsAgainIsToldOnce) {
  begin_and_look();
  happen(NodeGone{{"gold-1"}}, 20);
  EXPECT_EQ(page(), "gold-1 of gold is lost\n");
  happen(NodeHeard{{"gold-1"}}, 30);
  EXPECT_EQ(page(), "gold-1 of gold is back\n");
  come("gold-1");
  EXPECT_EQ(page(), "") << "the same process";
  const auto& node = state.nodes.at({"gold-1"});
  Hello other = node.hello;
  other.incarnation = "second";
  happen(NodeCame{{"gold-1"}, node.nodes, other});
  EXPECT_EQ(page(), "gold-1 of gold was started again\n");
  EXPECT_EQ(state.counts.nodes_lost, 1);
  happen(NodeGone{{"gold-1"}}, 60);
  EXPECT_EQ(state.counts.nodes_lost, 1) << "nodes are counted, not how often they went";
}

TEST_F(Narration, ARunThatNobodyCanGoOnWithSaysWhenItEnds) {
  begin_and_look();
  happen(plan_at(here()));
  const auto nodes = state.nodes;
  for (const bool trains : {false, true})
    for (const auto& [name, node] : nodes)
      if ((node.nodes.index == 0) == trains) happen(NodeGone{name}, 10);
  ASSERT_EQ(state.activity, Activity::Waiting);
  EXPECT_TRUE(contains(page(), "the run ends in 1 min unless one comes")) << page();
}

class NarrationOfOthers : public MeasuredTransition {};

TEST_F(NarrationOfOthers, WhoIsAwaitedIsNamed) {
  happen(RunBegan{});
  come("gold-1");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].text, "gold-1 of gold has come; waiting for gold-2");
  come("gold-2");
  EXPECT_EQ(told[0].text, "gold-2 of gold has come");
}

}  // namespace
}  // namespace espalier
