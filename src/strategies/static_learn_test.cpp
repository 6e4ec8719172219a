// SPDX-License-Identifier: Apache-2.0
#include "strategies/static_learn.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

// L learns anything, S nothing below 0.3.
Scenario two_models(double target) {
  const auto learn = [](double rate, double floor) {
    return LearnSpec{RuleShape{PowerRule{rate, floor, 1}}, {}, {}};
  };
  Scenario scenario;
  scenario.goal = {Loss{target}, Seconds{1000}, 0.95};
  scenario.start = {{0}, {0}, Loss{2}};
  scenario.models = {{"L", {}, 0}, {"S", ModelId{0}, 0.5}};
  scenario.node_sets = {{"here", {}, {}}};
  scenario.runs = {{{0}, {0}, Seconds{1}, Joules{3}, learn(0.1, 0)},
                   {{1}, {0}, Seconds{1}, Joules{1}, learn(0.1, 0.3)}};
  scenario.model_changes = {{{0}, {1}, Seconds{0.5}, Joules{0.2}, {{0.1, 1}, 0, {}}}};
  return scenario;
}

Verdict verdict_of(const Scenario& scenario, std::int64_t max_labels) {
  const Problem problem = Problem::estimated(scenario);
  const auto planner = static_learn_strategy().planner(problem, {.max_labels = max_labels});
  return planner->plan(problem.start(), {}).verdict;
}

TEST(StaticLearn, KnowsAtOnceThatTheLastModelCannotGetThere) {
  EXPECT_EQ(verdict_of(two_models(0.2), 10), Verdict::Infeasible);
  EXPECT_EQ(verdict_of(two_models(0.4), 10), Verdict::Limit) << "it takes more than 10 steps";
  EXPECT_EQ(verdict_of(two_models(0.4), 1'000'000), Verdict::Feasible);
}

}  // namespace
}  // namespace espalier
