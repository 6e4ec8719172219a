// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/plan_margin.h"

#include <algorithm>

namespace espalier {
namespace {

constexpr double kLeastShare = 0.5;

// What of the plan is done when such a round begins. To another node set a network travels when
// its nodes fetch it, in the round.
Seconds done_before(const Problem& problem, PlacementId from, PlacementId to, RoundKind kind) {
  if (kind == RoundKind::Compress) return {};
  const auto& all = problem.change(from, to);
  if (!all) return {};
  if (kind == RoundKind::Look) return all->time + problem.training(to).time;
  const ModelId before = problem.training(from).at.model;
  const ModelId after = problem.training(to).at.model;
  const auto& compressing = problem.model_change(before, after);
  return before != after && compressing ? std::min(all->time, compressing->time) : Seconds{};
}

// From the beginning of the round to the plan's end. REQUIRES: the plan has stages.
Seconds planned_from(const RunSetup& setup, const RunState& state, RoundKind kind) {
  const PlanDecided& plan = *state.plan;
  const State now = state.now();
  return plan.stages.back().time - (plan.spent ? plan.spent->time : now.time) -
         done_before(setup.problem, now.placement, plan.next->placement, kind);
}

}  // namespace

std::optional<PlanMargin> margin_of(const RunSetup& setup, const RunState& state, RoundKind kind,
                                    Seconds at) {
  const bool is_planned = setup.accounting == Accounting::Measured && state.outlay.since &&
                          state.plan && state.plan->next;
  if (!is_planned) return std::nullopt;
  const PlanDecided& plan = *state.plan;
  const State& now = state.now();
  const Seconds left = setup.problem.goal().deadline - now.time - (at - *state.outlay.since);
  const Seconds planned = plan.stages.empty() ? left : planned_from(setup, state, kind);
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
