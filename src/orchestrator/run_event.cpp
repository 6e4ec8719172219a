// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/run_event.h"

namespace espalier {

PlanDecided decided(const PlanResult& result, std::vector<NodeSetId> without, Spent spent) {
  PlanDecided plan{result.verdict, result.estimator,   {},   {}, result.chance,
                   result.notes,   std::move(without), spent};
  if (!result.plan || result.plan->steps.empty()) return plan;
  plan.next = result.plan->steps.front();
  for (const Step& step : result.plan->steps) {
    if (plan.stages.empty() || plan.stages.back().placement != step.placement)
      plan.stages.push_back({.placement = step.placement});
    PlannedStage& stage = plan.stages.back();
    stage = {step.placement, stage.epochs + 1, step.loss, step.time, step.energy};
  }
  return plan;
}

}  // namespace espalier
