// SPDX-License-Identifier: Apache-2.0
#include "core/plan.h"

namespace espalier {

State Plan::after(std::size_t count) const {
  if (count == 0) return start;
  const Step& step = steps[count - 1];
  return {step.placement, start.epoch + static_cast<int>(count), step.loss, step.time, step.energy,
          step.paid};
}

State Plan::end() const { return after(steps.size()); }

std::vector<Stage> Plan::stages() const {
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const State before = after(i);
    if (stages.empty() || stages.back().placement != steps[i].placement)
      stages.push_back({.placement = steps[i].placement});
    Stage& stage = stages.back();
    ++stage.epochs;
    stage.time += steps[i].time - before.time;
    stage.energy += steps[i].energy - before.energy;
    stage.loss = steps[i].loss;
  }
  return stages;
}

int Plan::switches(const Problem& problem) const {
  int count = 0;
  PlacementId previous = start.placement;
  for (const Step& step : steps) {
    const Placement& a = problem.training(previous).at;
    const Placement& b = problem.training(step.placement).at;
    count += a.model != b.model || a.nodes != b.nodes;
    previous = step.placement;
  }
  return count;
}

std::optional<State> advance(const Problem& problem, Estimator estimator, const State& from,
                             PlacementId to) {
  const Training& training = problem.training(to);
  const auto change = problem.change(from.placement, to);
  if (!change || !training.possible) return std::nullopt;
  const double loss = change->jump[estimator].apply(from.loss.value);
  if (loss > problem.ceiling() && loss > from.loss.value) return std::nullopt;
  const Loss after{training.rule[estimator].next(from.epoch + 1, loss)};
  return state_after(problem, from, to, *change, after);
}

State state_after(const Problem& problem, const State& from, PlacementId to, const Change& change,
                  Loss loss) {
  const Training& t = problem.training(to);
  State state{to,
              from.epoch + 1,
              loss,
              from.time + (change.time + t.time),
              from.energy + (change.energy + t.energy),
              from.paid | t.once_mark};
  if (state.paid != from.paid) state.energy += t.once;
  return state;
}

namespace {

enum class AtGoal { Stop, GoOn };

Plan follow(const Problem& problem, Estimator estimator, const State& start,
            std::span<const PlacementId> placements, AtGoal at_goal) {
  Plan plan{start, {}};
  State now = start;
  for (const PlacementId placement : placements) {
    if (at_goal == AtGoal::Stop && problem.goal().reached(now.loss, now.time)) break;
    const auto next = advance(problem, estimator, now, placement);
    if (!next) break;
    now = *next;
    plan.steps.push_back({now.placement, now.loss, now.time, now.energy, now.paid});
  }
  return plan;
}

}  // namespace

Plan follow(const Problem& problem, Estimator estimator, const State& start,
            std::span<const PlacementId> placements) {
  return follow(problem, estimator, start, placements, AtGoal::Stop);
}

Plan follow_to_end(const Problem& problem, Estimator estimator, const State& start,
                   std::span<const PlacementId> placements) {
  return follow(problem, estimator, start, placements, AtGoal::GoOn);
}

double PlanResult::gap() const {
  if (!plan) return 0;
  const double energy = cost().value;
  return energy > 0 ? std::max(0.0, energy - lower_bound.value) / energy : 0;
}

}  // namespace espalier
