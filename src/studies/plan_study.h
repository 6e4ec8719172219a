// SPDX-License-Identifier: Apache-2.0
// A scenario planned, with everything that belongs to the answer.
#pragma once

#include <stop_token>

#include "core/strategy.h"
#include "render/plan_report.h"
#include "studies/input.h"

namespace espalier {

// What is told beside the plan; each takes time.
struct PlanExtras {
  bool reasons = false;      // why each stage is there
  bool alternatives = true;  // what other strategies would have done
};

// Borrowed.
struct PlanStudy {
  const Input& input;
  const Strategy& strategy;
  PlannerOptions planning{};
  PlanExtras extras{};

  Planned planned() const;
  Estimator estimator() const;
};

// Whether the plan, if there is one, reaches the goal.
bool reaches_goal(const PlanStudy& study, const PlanResult& result);

// The answer of `planner`, which is the strategy's, judged by the independent checker: throws
// Error{Bug} for a plan that is not what the scenario leads to.
PlanReport study_plan(const PlanStudy& study, Planner& planner, std::stop_token stop);

// Optimal plans along one axis.
FrontierReport study_frontier(const PlanStudy& study, FrontierAxis axis, std::stop_token stop);

// "deadline" or "loss", "expected" or "robust". Throw Error{BadInput}.
FrontierAxis parse_axis(const std::string& text);
Estimator parse_estimator(const std::string& text);

}  // namespace espalier
