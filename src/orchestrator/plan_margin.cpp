// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/plan_margin.h"

#include <algorithm>

namespace espalier {
namespace {

constexpr double kLeastShare = 0.5;

Seconds planned_time(const RunSetup& setup, const RunState& state, RoundKind kind) {
  const PlacementId to = state.plan->next->placement;
  if (kind == RoundKind::Train) return setup.problem.training(to).time;
  if (kind != RoundKind::Compress) return {};
  const auto change = setup.problem.change(state.now().placement, to);
  return change ? change->time : Seconds{};
}

double stretch_of(const RunSetup& setup, const RunState& state, const PlanDecided& plan) {
  const Seconds asked = plan.spent ? plan.spent->time : state.now().time;
  const Seconds left = setup.problem.goal().deadline - asked;
  const Seconds planned = plan.stages.empty() ? left : plan.stages.back().time - asked;
  return planned.value > 0 ? std::max(1.0, left.value / planned.value) : 1;
}

}  // namespace

std::optional<PlanMargin> margin_of(const RunSetup& setup, const RunState& state, RoundKind kind) {
  const bool is_planned = setup.accounting == Accounting::Measured && state.outlay.since &&
                          state.plan && state.plan->next;
  if (!is_planned) return std::nullopt;
  return PlanMargin{planned_time(setup, state, kind), stretch_of(setup, state, *state.plan)};
}

double needed_share(const std::optional<PlanMargin>& margin) {
  return margin ? std::max(kLeastShare, 1 / margin->stretch) : kLeastShare;
}

}  // namespace espalier
