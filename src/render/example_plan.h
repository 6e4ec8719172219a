// SPDX-License-Identifier: Apache-2.0
// A small problem and its plan, for the tests of this folder.
#pragma once

#include "core/plan.h"
#include "core/scenario.h"
#include "core/strategy.h"
#include "render/plan_report.h"

namespace espalier {

// L costs 2 J an epoch and S costs 1 J; the names hold what must be escaped.
inline Scenario example_scenario() {
  const auto learn = [](double rate) {
    return LearnSpec{RuleShape{PowerRule{rate, 0, 1}}, {}, {}};
  };
  Scenario scenario;
  scenario.name = "a \"small\" <b>case</b>";
  scenario.goal = {Loss{0.2}, Seconds{5}, 0.95};
  scenario.start = {{0}, {0}, Loss{1}};
  scenario.models = {{"L", {}, 0}, {"S&S", {}, 0.5}};
  scenario.node_sets = {{"gold", {}, {}}};
  scenario.runs = {{{0}, {0}, Seconds{1}, Joules{2}, learn(0.5)},
                   {{1}, {0}, Seconds{1}, Joules{1}, learn(0.5)}};
  scenario.model_changes = {{{0}, {1}, Seconds{0.5}, Joules{0.25}, {{0.1, 1}, 0, {}}}};
  return scenario;
}

// Owns what a report borrows.
struct ExamplePlan {
  Scenario scenario = example_scenario();
  Problem problem = Problem::estimated(scenario);
  StrategyInfo strategy{"exact", "", "", Estimator::Expected, true, true};

  Planned planned() const { return {scenario, problem, strategy, {"my file.yaml"}}; }

  PlanReport report() const {
    PlanReport report{planned(), {}, {}, {}, {}, {}, 0.5};
    const PlacementId way[] = {{0}, {1}, {1}};
    report.result.plan = follow(problem, Estimator::Expected, problem.start(), way);
    report.result.verdict = Verdict::Optimal;
    report.result.lower_bound = report.result.plan->end().energy;
    report.result.stats = {12, 345};
    return report;
  }
};

}  // namespace espalier
