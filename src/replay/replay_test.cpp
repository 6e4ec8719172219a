// SPDX-License-Identifier: Apache-2.0
#include "replay/replay.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "replay/example_traces.h"
#include "support/text.h"

namespace espalier {
namespace {

// A way through traces, by names.
class Walker {
 public:
  explicit Walker(const TraceTree& tree)
      : tree_(tree), replay_(tree, *tree.root(tree.seeds().front(), *tree.place("gold", 0))) {}

  Walker& train(int epochs) {
    for (int i = 0; i < epochs; ++i) replay_.train();
    return *this;
  }
  Walker& change(const std::string& nodes, double prune) {
    replay_.change(*tree_.place(nodes, prune));
    return *this;
  }
  bool can_change(const std::string& nodes, double prune) const {
    return replay_.can_change(*tree_.place(nodes, prune));
  }
  double loss() const { return replay_.loss(); }
  bool is_beyond() const { return replay_.is_beyond(); }

 private:
  const TraceTree& tree_;
  Replay replay_;
};

TraceTree example_tree() { return TraceTree(example_traces(), "traces.csv"); }

TEST(Replay, FollowsTheTracedCurve) {
  const TraceTree tree = example_tree();
  EXPECT_DOUBLE_EQ(Walker(tree).loss(), 4);
  EXPECT_DOUBLE_EQ(Walker(tree).train(7).loss(), 3.3);
}

TEST(Replay, IsWhatWasTracedAfterATracedChange) {
  const TraceTree tree = example_tree();
  EXPECT_DOUBLE_EQ(Walker(tree).train(5).change("silver", 0.5).loss(), 5);
  EXPECT_DOUBLE_EQ(Walker(tree).train(5).change("silver", 0.5).train(3).loss(), 4.4);
}

TEST(Replay, GoesBetweenTheCurvesOfTheNeighbouringEpochs) {
  const TraceTree tree = example_tree();
  EXPECT_NEAR(Walker(tree).train(7).change("silver", 0.5).loss(), 3, 1e-12);
  EXPECT_NEAR(Walker(tree).train(6).change("silver", 0.5).train(2).loss(), 3.6, 1e-12);
}

// Gold falls by 1 in each of its first two epochs and by 0.1 in later ones; silver was traced after
// 1 and after 5.
TEST(Replay, GoesAsFarBetweenThemAsTheLossBeforeTheChange) {
  std::vector<TraceRow> rows;
  add_stage(rows, "1/gold", {5, 1}, 2);
  add_stage(rows, "1/gold", {3.2, 0.1}, 8);  // the first epochs are known already
  add_stage(rows, "1/gold/1x0.5/silver", {9, 1}, 8);
  add_stage(rows, "1/gold/5x0.5/silver", {2, 0}, 8);
  const TraceTree tree(rows, "traces.csv");
  const double share = 1 / 1.3;
  EXPECT_NEAR(Walker(tree).train(2).change("silver", 0.5).loss(), 9 - 7 * share, 1e-12);
  EXPECT_NEAR(Walker(tree).train(2).change("silver", 0.5).train(2).loss(), 7 - 5 * share, 1e-12);
}

TEST(Replay, GoesAsFarBetweenThemAsTheEpochWhereTheLossStoodStill) {
  std::vector<TraceRow> rows;
  add_stage(rows, "1/gold", {4, 0}, 8);
  add_stage(rows, "1/gold/1x0.5/silver", {9, 1}, 8);
  add_stage(rows, "1/gold/5x0.5/silver", {5, 1}, 8);
  const TraceTree tree(rows, "traces.csv");
  EXPECT_NEAR(Walker(tree).train(2).change("silver", 0.5).loss(), 8, 1e-12);
}

TEST(Replay, GoesBetweenFourCurvesAfterTwoChanges) {
  const TraceTree tree = example_tree();
  const double loss =
      Walker(tree).train(6).change("silver", 0.5).train(5).change("bronze", 0.625).train(3).loss();
  EXPECT_NEAR(loss, 20 - 6 - 5 - 0.5 * 3, 1e-12);
}

// Gold at 8, 7, 6, … with a change to silver after 2 and after 4 epochs.
TraceTree two_turns(const ExampleLine& after_one, const ExampleLine& after_two) {
  std::vector<TraceRow> rows;
  add_stage(rows, "1/gold", {8, 1}, 8);
  add_stage(rows, "1/gold/2x0.5/silver", after_one, 8);
  add_stage(rows, "1/gold/4x0.5/silver", after_two, 8);
  return TraceTree(rows, "traces.csv");
}

TEST(Replay, OutsideTheTracedEpochsADifferenceCountsAsMuchAsItDidBetweenTheNearest) {
  // Two losses less before the change were worth one on arrival, and two from the 5th epoch on.
  const TraceTree tree = two_turns({10, 0.8}, {9, 1});
  EXPECT_NEAR(Walker(tree).change("silver", 0.5).loss(), 10 + 2 * 0.5, 1e-12);
  EXPECT_NEAR(Walker(tree).change("silver", 0.5).train(5).loss(), 6 + 2, 1e-12);
  EXPECT_NEAR(Walker(tree).change("silver", 0.5).train(8).loss(), 3.6 + 2, 1e-12);
  // Three quarters of the loss before it are gone, of which half counts.
  EXPECT_NEAR(Walker(tree).train(7).change("silver", 0.5).loss(), 9 * (1 - 0.75 * 0.5), 1e-12);
}

TEST(Replay, NobodyGainsByKnowingLess) {
  // Here it was better to leave early.
  const TraceTree tree = two_turns({5, 0}, {6, 0});
  EXPECT_NEAR(Walker(tree).change("silver", 0.5).loss(), 5, 1e-12);
  EXPECT_NEAR(Walker(tree).train(8).change("silver", 0.5).loss(), 6, 1e-12);
}

TEST(Replay, ADifferenceCountsInFullIfNothingElseWasTraced) {
  std::vector<TraceRow> rows;
  add_stage(rows, "1/gold", {8, 1}, 8);
  add_stage(rows, "1/gold/2x0.5/silver", {10, 1}, 8);
  const TraceTree tree(rows, "traces.csv");
  EXPECT_NEAR(Walker(tree).train(1).change("silver", 0.5).train(3).loss(), 7 + 1, 1e-12);
  EXPECT_NEAR(Walker(tree).train(5).change("silver", 0.5).train(3).loss(), 7 * 0.5, 1e-12);
}

TEST(Replay, GoesBeyondWhatIsWovenOfSeveralCurves) {
  // Left gold early, then silver between two traced epochs.
  const TraceTree tree = example_tree();
  // Per loss before the change, (20 − 5) − (20 − 10) of bronze belong to 0.5 of gold: all of it.
  const double loss =
      Walker(tree).train(2).change("silver", 0.5).train(5).change("bronze", 0.625).loss();
  EXPECT_NEAR(loss, 20 - 5 - 5 + 0.3, 1e-12);
}

TEST(Replay, PastTheEndNothingMoreIsLearned) {
  const TraceTree tree = example_tree();
  EXPECT_FALSE(Walker(tree).train(20).is_beyond());
  EXPECT_TRUE(Walker(tree).train(21).is_beyond());
  EXPECT_DOUBLE_EQ(Walker(tree).train(500).loss(), 2);
  // Leaving later than there is anything to learn is as leaving at the end.
  EXPECT_DOUBLE_EQ(Walker(tree).train(500).change("silver", 0.5).loss(),
                   Walker(tree).train(20).change("silver", 0.5).loss());
}

TEST(Replay, NeverFallsBelowZero) {
  const TraceTree tree = example_tree();
  EXPECT_EQ(Walker(tree).train(10).change("silver", 0.5).train(20).loss(), 0);
}

TEST(Replay, KnowsWhereItCanGo) {
  const TraceTree tree = example_tree();
  EXPECT_TRUE(Walker(tree).can_change("silver", 0.5));
  EXPECT_FALSE(Walker(tree).can_change("bronze", 0.625));
  EXPECT_TRUE(Walker(tree).change("silver", 0.5).can_change("bronze", 0.625));
  EXPECT_FALSE(Walker(tree).change("silver", 0.5).can_change("gold", 0));
}

TEST(Replay, ForksGoTheirOwnWays) {
  const TraceTree tree = example_tree();
  Walker trunk(tree);
  trunk.train(5);
  Walker fork = trunk;
  fork.change("silver", 0.5).train(4);
  EXPECT_DOUBLE_EQ(trunk.loss(), 3.5);
  EXPECT_DOUBLE_EQ(fork.loss(), 4.2);
}

TEST(Replay, PassesByNeighboursThatDoNotLeadOn) {
  // Of the runs that went to silver after 10 epochs, none went on.
  std::vector<TraceRow> rows = example_traces();
  std::erase_if(rows, [](const TraceRow& row) {
    return row.nodes == "bronze" && contains(row.run, "gold/10x");
  });
  const TraceTree tree(rows, "traces.csv");
  // Silver is between both; bronze knows the run that left gold after 5 alone, at 3.5 instead of
  // 3.4.
  EXPECT_NEAR(Walker(tree).train(6).change("silver", 0.5).loss(), 4, 1e-12);
  const double loss =
      Walker(tree).train(6).change("silver", 0.5).train(4).change("bronze", 0.625).loss();
  EXPECT_NEAR(loss, (20 - 5 - 4) * 3.4 / 3.5, 1e-12);
}

// --- trees
// -----------------------------------------------------------------------------------------

TraceRow plain_row(int epoch, const std::string& nodes, double prune, double loss,
                   TraceEvent event = TraceEvent::Epoch) {
  TraceRow row;
  row.run = "mine";
  row.seed = 3;
  row.epoch = epoch;
  row.nodes = nodes;
  row.prune = prune;
  row.loss = {loss};
  row.event = event;
  return row;
}

TEST(TraceTree, ReadsRunsThatAreToldFromTheirStart) {
  const TraceTree tree(
      {plain_row(0, "gold", 0, 2, TraceEvent::Start), plain_row(1, "gold", 0, 1.5),
       plain_row(1, "gold", 0.5, 1.9, TraceEvent::Prune),
       plain_row(1, "silver", 0.5, 1.8, TraceEvent::HandOver), plain_row(2, "silver", 0.5, 1.2)},
      "traces.csv");
  const auto root = tree.root(3, *tree.place("gold", 0));
  ASSERT_TRUE(root.has_value());
  EXPECT_EQ(tree.stage(*root).losses, (std::vector<double>{2, 1.5}));
  ASSERT_EQ(tree.stage(*root).turns.size(), 1U);
  const TracedTurn& turn = tree.stage(*root).turns[0];
  EXPECT_EQ(turn.after, 1);
  EXPECT_EQ(tree.stage(turn.stage).losses, (std::vector<double>{1.8, 1.2}));
}

TEST(TraceTree, BridgesGapsAndBeginsWithTheFirstLoss) {
  const TraceTree tree({plain_row(1, "gold", 0, 2), plain_row(2, "gold", 0, std::nan("")),
                        plain_row(4, "gold", 0, 1.4)},
                       "traces.csv");
  const std::vector<double>& losses = tree.stages().front().losses;
  ASSERT_EQ(losses.size(), 5U);
  EXPECT_EQ(losses[0], 2);
  EXPECT_NEAR(losses[2], 1.8, 1e-12);
  EXPECT_NEAR(losses[3], 1.6, 1e-12);
}

void expect_refused(const std::vector<TraceRow>& rows, const std::string& what) {
  try {
    const TraceTree tree(rows, "traces.csv");
    FAIL() << "accepted, instead of: " << what;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    EXPECT_TRUE(contains(error.what(), "traces.csv: ")) << error.what();
    EXPECT_TRUE(contains(error.what(), what)) << error.what();
  }
}

TEST(TraceTree, RefusesWhatCannotBeFollowed) {
  expect_refused({}, "no traces");
  expect_refused({plain_row(1, "gold", 0, 2), plain_row(1'000'000'000, "gold", 0, 1)}, "misses");
  TraceRow other = plain_row(1, "gold", 0, 1);
  other.run = "other";
  expect_refused({plain_row(1, "gold", 0, 2), other}, "contradicts");
  std::vector<TraceRow> restless;
  for (int e = 1; e < 200; ++e) restless.push_back(plain_row(e, e % 2 == 0 ? "a" : "b", 0, 1));
  expect_refused(restless, "changes more than");
  std::vector<TraceRow> places;
  for (int i = 0; i < 1001; ++i) {
    places.push_back(plain_row(1, "gold" + std::to_string(i), 0, 1));
    places.back().run = "r" + std::to_string(i);
  }
  expect_refused(places, "more than 1000");
}

}  // namespace
}  // namespace espalier
