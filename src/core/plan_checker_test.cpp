// SPDX-License-Identifier: Apache-2.0
#include "core/plan_checker.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

// Two models, two node sets, one way: small enough to spoil by hand.
Scenario two_models() {
  Scenario s;
  s.goal = {Loss{1.0}, Seconds{10}, 0.95};
  s.start = {ModelId{0}, NodeSetId{0}, Loss{2}};
  s.models = {{"L", std::nullopt, 0}, {"S", ModelId{0}, 0.5}};
  s.node_sets = {{"gold", {}, {}}, {"bronze", {}, {}}};
  s.runs = {{ModelId{0}, NodeSetId{0}, Seconds{1}, Joules{1}, {PowerRule{0.3}, {}, {}}},
            {ModelId{1}, NodeSetId{1}, Seconds{0.5}, Joules{0.2}, {PowerRule{0.2}, {}, {}}}};
  s.model_changes = {{ModelId{0}, ModelId{1}, Seconds{0.5}, Joules{0.2}, {Jump{0.1, 1}, 0, {}}}};
  s.node_changes = {{NodeSetId{0}, NodeSetId{1}, Seconds{0.2}, Joules{0.1}}};
  return s;
}

constexpr PlacementId kLarge{0};
constexpr PlacementId kSmall{1};

class PlanCheckerTest : public testing::Test {
 protected:
  void plan(std::vector<PlacementId> path) {
    result.plan = follow(problem, Estimator::Expected, problem.start(), path);
  }
  std::vector<std::string> faults() const { return check_plan(scenario, problem, result); }

  Scenario scenario = two_models();
  Problem problem = Problem::estimated(scenario);
  PlanResult result;
};

TEST_F(PlanCheckerTest, AcceptsASoundPlan) {
  plan({kLarge, kSmall, kSmall, kSmall});
  EXPECT_EQ(faults(), std::vector<std::string>{});
}

TEST_F(PlanCheckerTest, FindsWrongFigures) {
  plan({kLarge, kSmall, kSmall, kSmall});
  const Plan sound = *result.plan;
  result.plan->steps[1].energy.value += 0.01;
  EXPECT_FALSE(faults().empty());
  result.plan = sound;
  result.plan->steps[1].time.value -= 0.01;
  EXPECT_FALSE(faults().empty());
  result.plan = sound;
  result.plan->steps[1].loss.value -= 0.01;
  EXPECT_FALSE(faults().empty());
}

TEST_F(PlanCheckerTest, FindsAnImpossibleSwitch) {
  plan({kSmall, kSmall});
  result.plan->steps.back().placement = kLarge;
  ASSERT_EQ(faults().size(), 1U);
  EXPECT_NE(faults()[0].find("not possible"), std::string::npos);
}

TEST_F(PlanCheckerTest, FindsAPlanThatFallsShort) {
  plan({kLarge});
  ASSERT_EQ(faults().size(), 1U);
  EXPECT_NE(faults()[0].find("without reaching the goal"), std::string::npos);
  EXPECT_TRUE(check_plan(scenario, problem, result, GoalDemand::NotNeeded).empty());
}

TEST_F(PlanCheckerTest, FindsAPlanThatMissesTheDeadline) {
  plan({kLarge, kSmall, kSmall, kSmall});
  scenario.goal.deadline = Seconds{2};
  EXPECT_FALSE(faults().empty());
}

TEST_F(PlanCheckerTest, FindsAPlanThatGoesOnAfterTheGoal) {
  plan({kLarge, kLarge, kLarge});
  scenario.goal.loss = Loss{1.5};
  ASSERT_FALSE(faults().empty());
  EXPECT_NE(faults()[0].find("reached before"), std::string::npos);
}

}  // namespace
}  // namespace espalier
