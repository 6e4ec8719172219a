// SPDX-License-Identifier: Apache-2.0
#include "evidence/promise_study.h"

#include <gtest/gtest.h>

#include "evidence/evidence_fixtures.h"

namespace espalier {
namespace {

// L learns fast and dearly, S slowly; both with luck.
Scenario lucky_scenario() {
  Scenario scenario;
  scenario.name = "lucky";
  scenario.goal = {Loss{0.4}, Seconds{100}, 0.95};
  scenario.start = {{0}, {0}, Loss{2}};
  scenario.models = {{"L", {}, 0}, {"S", ModelId{0}, 0.5}};
  scenario.node_sets = {{"here", {}, {}}};
  const auto learn = [](double rate) {
    return LearnSpec{RuleShape{PowerRule{rate, 0, 1}}, {0.2, 0.2}, {}};
  };
  scenario.runs = {{{0}, {0}, Seconds{1}, Joules{3}, learn(0.3)},
                   {{1}, {0}, Seconds{1}, Joules{1}, learn(0.15)}};
  scenario.model_changes = {{{0}, {1}, Seconds{0.5}, Joules{0.2}, {{0.1, 1}, 0, {}}}};
  return scenario;
}

TEST(StudyPromises, JudgesOnRunsThatNobodyHasSeen) {
  int rows = 0;
  const PromiseOptions options{.runs = 400, .clairvoyant_runs = 20, .workers = 2};
  const auto study = study_promises(lucky_scenario(), options, {}, [&] { ++rows; });
  EXPECT_EQ(study.rows.size(), promise_row_count());
  EXPECT_EQ(rows, static_cast<int>(promise_row_count()));
  EXPECT_LT(study.goal.deadline.value, 100);
  int promised = 0;
  for (const PromiseRow& row : study.rows) {
    if (!row.promised) continue;
    ++promised;
    // 400 runs tell a share to a few points.
    if (row.strategy == "depl" || row.strategy == "policy") {
      EXPECT_GE(row.interval.high, row.asked) << row.strategy << " " << row.asked;
    }
    EXPECT_GE(row.excess, -1e-9) << row.strategy;
  }
  EXPECT_GE(promised, 4);
  EXPECT_GT(study.clairvoyant_energy, 0);
}

// Nothing learns to below the floor: just above it, a margin has no room, whatever the deadline.
TEST(TargetWithRoom, IsWhereExpectationWithAMarginCanPromise) {
  Scenario scenario = lucky_scenario();
  for (RunSpec& run : scenario.runs)
    run.learn = {RuleShape{PowerRule{0.6, 0.2, 1}}, {0.8, 0.2}, {}};
  scenario.goal.loss = Loss{0.21};
  const auto roomy = target_with_room(scenario, {});
  ASSERT_TRUE(roomy.has_value());
  EXPECT_GT(*roomy, Loss{0.21});
  scenario.goal.loss = *roomy;
  EXPECT_EQ(target_with_room(scenario, {}), roomy);
  scenario.goal.loss = scenario.start.loss;
  EXPECT_EQ(target_with_room(scenario, {}), std::nullopt);
}

TEST(WithTracedJumps, TakesWhatPruningsDid) {
  // L to M: from 3.5 to 5 after 5 epochs, from 3 to 0.01 after 10. The line through both would
  // promise losses below nothing; this one begins at the origin, and is right on average.
  const Scenario scenario = with_traced_jumps(example_world(), as_collected(example_traces()));
  const Jump& jump = scenario.model_changes[0].jump.expected;
  EXPECT_NEAR(jump.apply(3.25), (5 + 0.01) / 2, 1e-6);
  EXPECT_NEAR(jump.apply(0), 0, 1e-6);
  // L to S was never traced.
  EXPECT_EQ(scenario.model_changes[1].jump.expected,
            example_world().model_changes[1].jump.expected);
}

}  // namespace
}  // namespace espalier
