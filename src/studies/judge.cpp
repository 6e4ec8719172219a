// SPDX-License-Identifier: Apache-2.0
#include "studies/judge.h"

#include "core/error.h"
#include "core/plan_checker.h"

namespace espalier {

void judge(const Scenario& scenario, const Problem& problem, const std::string& strategy,
           const PlanResult& result) {
  if (!result.plan) return;
  // A promise holds for a share of the runs; the estimate need not be one of them.
  const bool claims_goal =
      !result.chance && (result.verdict == Verdict::Optimal || result.verdict == Verdict::Feasible);
  const auto faults = check_plan(scenario, problem, result,
                                 claims_goal ? GoalDemand::Needed : GoalDemand::NotNeeded);
  if (faults.empty()) return;
  throw Error(ErrorCode::Bug, "the plan of '" + strategy + "' is wrong: " + faults.front(),
              "this is a bug in espalier; please report it with the command and the scenario");
}

}  // namespace espalier
