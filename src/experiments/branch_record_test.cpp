// SPDX-License-Identifier: Apache-2.0
#include "experiments/branch_record.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

const Branch kTrunk{.run = "1/gold", .steps = 9};

TraceRow row(int epoch, double loss) {
  TraceRow made{.run = "1/gold", .seed = 1, .epoch = epoch, .model = "L", .nodes = "gold"};
  made.loss = {loss};
  made.time = {static_cast<double>(epoch)};
  made.event = epoch == 0 ? TraceEvent::Start : TraceEvent::Epoch;
  return made;
}

BranchRecord record(int first, int last) {
  BranchRecord made;
  for (int epoch = first; epoch <= last; ++epoch)
    made.rows.push_back(row(epoch, 2.0 / (1 + epoch)));
  return made;
}

TEST(BranchRecord, SurvivesTheFile) {
  BranchRecord before = record(0, 3);
  before.add_source({Provenance::Measured, "RAPL"});
  before.add_source({Provenance::Modelled, "a100: 400 W × load"});
  before.add_source({Provenance::Measured, "RAPL"});
  const BranchRecord after = parse_record(record_text(before), "f");
  EXPECT_EQ(after.rows, before.rows);
  EXPECT_EQ(after.sources, before.sources);
  EXPECT_EQ(after.sources.size(), 2U);
  EXPECT_EQ(after.steps(kTrunk), 3);
}

TEST(BranchRecord, EndsWhereTheLossIsLowEnoughButNotBeforeItsChildrenBegin) {
  Branch branch = kTrunk;
  EXPECT_EQ(last_step(record(0, 9), branch), 9) << "nothing is ever enough";
  branch.enough = {0.5};
  EXPECT_EQ(last_step(record(0, 9), branch), 3);
  EXPECT_EQ(last_step(record(0, 2), branch), 9) << "nobody knows yet";
  branch.steps_for_children = 5;
  EXPECT_EQ(last_step(record(0, 9), branch), 5);
  branch.steps_for_children = 9;
  EXPECT_EQ(last_step(record(0, 12), branch), 9);
}

TEST(BranchRecord, GrowsByWhatIsNew) {
  const BranchRecord all = joined(record(0, 3), record(4, 6), kTrunk, 3);
  EXPECT_EQ(all.rows, record(0, 6).rows);
}

// Times differ when something is done again: the first ones count.
TEST(BranchRecord, KeepsWhatIsKnownWhenItIsDoneAgain) {
  BranchRecord again = record(3, 6);
  for (TraceRow& each : again.rows) each.time = {99};
  const BranchRecord all = joined(record(0, 4), again, kTrunk, 2);
  EXPECT_EQ(all.steps(kTrunk), 6);
  EXPECT_EQ(all.rows[4].time.value, 4);
  EXPECT_EQ(all.rows[5].time.value, 99);
}

TEST(BranchRecord, RefusesAnotherLossWhenItIsDoneAgain) {
  BranchRecord again = record(0, 5);
  again.rows[2].loss = {7};
  try {
    joined(record(0, 3), again, kTrunk, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::RunFailed);
    EXPECT_NE(std::string(error.what()).find("up to epoch 2"), std::string::npos) << error.what();
  }
}

TEST(BranchRecord, KnowsTheRowsOfABranch) {
  EXPECT_TRUE(fits(record(0, 3).rows, kTrunk, 0));
  EXPECT_TRUE(fits(record(4, 6).rows, kTrunk, 3));
  EXPECT_FALSE(fits(record(4, 6).rows, kTrunk, 2));
  EXPECT_FALSE(fits(record(1, 3).rows, kTrunk, 0)) << "the start is missing";
  BranchRecord other = record(0, 3);
  other.rows[1].run = "2/gold";
  EXPECT_FALSE(fits(other.rows, kTrunk, 0));
}

TEST(BranchRecord, RefusesADamagedFile) {
  EXPECT_THROW(parse_record("# energy hot air\n" + record_text(record(0, 1)), "f"), Error);
  const std::string text = record_text(record(0, 1));
  EXPECT_THROW(parse_record(text.substr(0, text.size() - 3), "f"), Error);
  EXPECT_THROW(parse_record("", "f"), Error);
}

}  // namespace
}  // namespace espalier
