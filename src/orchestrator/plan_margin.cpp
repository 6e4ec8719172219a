// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/plan_margin.h"

#include <algorithm>

namespace espalier {
namespace {

constexpr double kLeastShare = 0.5;

}  // namespace

std::optional<PlanMargin> margin_of(const RunSetup& setup, const RunState& state, RoundKind kind) {
  const bool is_planned = setup.accounting == Accounting::Measured && state.outlay.since &&
                          state.plan && state.plan->next;
  if (!is_planned) return std::nullopt;
  const PlanDecided& plan = *state.plan;
  const Seconds asked = plan.spent ? plan.spent->time : state.now().time;
  const Seconds left = setup.problem.goal().deadline - asked;
  const Seconds planned = plan.stages.empty() ? left : plan.stages.back().time - asked;
  PlanMargin margin;
  if (kind == RoundKind::Train) margin.round = setup.problem.training(plan.next->placement).time;
  if (planned.value > 0) margin.stretch = std::max(1.0, left.value / planned.value);
  margin.slack = std::max(Seconds{}, left - planned);
  return margin;
}

double needed_share(const std::optional<PlanMargin>& margin) {
  return margin ? std::max(kLeastShare, 1 / margin->stretch) : kLeastShare;
}

}  // namespace espalier
