// SPDX-License-Identifier: Apache-2.0
// From epoch to epoch: plans, what an epoch came to, and whether another follows.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "orchestrator/run_step.h"

namespace espalier {
namespace {

bool some_epoch_fits(const Problem& problem, const State& now) {
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const PlacementId to{static_cast<std::int32_t>(i)};
    const auto change = problem.change(now.placement, to);
    if (!change || !problem.training(to).possible) continue;
    if (now.time + change->time + problem.training(to).time <= problem.goal().time_bound())
      return true;
  }
  return false;
}

// Ends that move by this share of what is left are worth a word.
constexpr double kNotableMove = 0.1;

std::vector<PlannedStage> without_first(std::vector<PlannedStage> stages, int epochs) {
  while (!stages.empty() && stages.front().epochs <= epochs) {
    epochs -= stages.front().epochs;
    stages.erase(stages.begin());
  }
  if (!stages.empty()) stages.front().epochs -= epochs;
  return stages;
}

// Whether `next` is what was planned so many epochs before: the same placements, switches in the
// same epochs, and about the same end.
bool goes_on(const PlanDecided& before, const PlanDecided& next, int epochs) {
  const std::vector<PlannedStage> left = without_first(before.stages, epochs);
  if (left.size() != next.stages.size()) return false;
  int all = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i].placement != next.stages[i].placement) return false;
    if (i + 1 < left.size() && left[i].epochs != next.stages[i].epochs) return false;
    all += left[i].epochs;
  }
  return left.empty() || std::abs(left.back().epochs - next.stages.back().epochs) <=
                             std::max(1.0, kNotableMove * all);
}

}  // namespace

void RunStep::on(const PlanDecided& plan) {
  if (state_.activity != Activity::Deciding) return;
  keep();
  state_.asked.push_back({state_.epoch_number(), plan.without, plan.spent});
  if (plan.next) compare_with_known(plan);
  state_.plan = plan;
  if (!state_.promised && !plan.stages.empty()) state_.promised = plan.stages.back();
  if (!plan.next) return has_no_plan(plan);
  state_.epoch = {};
  if (!state_.outlay.since) state_.outlay = {.since = state_.at};
  const Placement& from = setup_.problem.training(state_.now().placement).at;
  const Placement& to = setup_.problem.training(plan.next->placement).at;
  begin(from.model != to.model ? RoundKind::Compress : RoundKind::Train);
}

void RunStep::compare_with_known(const PlanDecided& plan) {
  const auto& known = state_.known;
  if (known && goes_on(known->plan, plan, state_.epoch_number() - known->epochs)) return;
  if (known) ++state_.counts.replans;
  state_.known = {plan, state_.epoch_number()};
}

void RunStep::on(const StopAsked&) {
  if (state_.end) return;
  keep();
  // Nodes elsewhere go on with what they are at: whoever resumes the run waits for it.
  finish(Ending::Stopped);
}

void RunStep::on(const WentBack& back) {
  keep();
  withdraw_unfinished_tasks();
  const auto left = static_cast<std::size_t>(back.epochs);
  const State before = standing(setup_, state_);
  const EnergySource source = energy_source(setup_, state_);
  state_.course.steps.resize(std::min(left, state_.course.steps.size()));
  state_.epochs.resize(std::min(left, state_.epochs.size()));
  state_.end.reset();
  state_.first_attempt += setup_.patience.attempts;
  state_.plan.reset();
  state_.known.reset();
  state_.epoch = {};
  owe_since_then(before, source);
  std::erase_if(state_.asked, [&](const AskedAt& asked) { return asked.epochs >= back.epochs; });
  if (!state_.epochs.empty()) {
    state_.network = state_.epochs.back().network;
    decide();
  } else {
    state_.network = {};
    state_.is_start_known = false;
    begin(RoundKind::FirstLook);
  }
}

// What epochs that have to be trained again took is spent all the same.
void RunStep::owe_since_then(const State& before, const EnergySource& source) {
  if (!state_.outlay.since) return;
  const State left = state_.now();
  state_.outlay = {.since = state_.at - (before.time - left.time),
                   .energy = before.energy - left.energy,
                   .source = source};
}

Step RunStep::step_to(PlacementId to, Loss loss) const {
  const State from = state_.now();
  const auto change = setup_.problem.change(from.placement, to);
  ESPALIER_CHECK(change.has_value());
  State after = state_after(setup_.problem, from, to, *change, loss);
  if (setup_.accounting == Accounting::Measured) {
    const Joules once = after.paid != from.paid ? setup_.problem.training(to).once : Joules{};
    const State spent = standing(setup_, state_);
    after.time = spent.time;
    after.energy = spent.energy + once;
  }
  return {to, after.loss, after.time, after.energy, after.paid};
}

// Data that is paid for once has its price from the scenario.
EnergySource RunStep::source_of_epoch(const Step& step) const {
  const EnergySource scenario{Provenance::Modelled, "the scenario"};
  if (!state_.outlay.source) return scenario;
  return step.paid != state_.now().paid ? weaker(*state_.outlay.source, scenario)
                                        : *state_.outlay.source;
}

void RunStep::close_epoch(Loss loss, bool was_looked_at) {
  const PlacementId to = state_.plan->next->placement;
  EpochRecord record{step_to(to, loss), state_.epoch.network, state_.plan->next};
  record.members = state_.epoch.members;
  record.selected = state_.epoch.selected;
  record.was_looked_at = was_looked_at;
  if (setup_.accounting == Accounting::Measured) {
    const EnergySource from = source_of_epoch(record.step);
    record.provenance = from.provenance;
    record.source = from.source;
  } else {
    record.source = "the scenario";
  }
  state_.course.steps.push_back(record.step);
  state_.epochs.push_back(record);
  actions_.emplace_back(
      KeepCheckpoint{state_.epoch_number(), record.network, is_best_so_far(state_)});
  if (record.network != state_.network) drop({state_.network});
  state_.network = record.network;
  state_.epoch = {};
  state_.outlay = {.since = state_.at};
  judge();
}

void RunStep::judge() {
  const State now = state_.now();
  if (setup_.problem.goal().reached(now.loss, now.time)) return finish(Ending::Reached);
  decide();
}

void RunStep::decide() {
  if (!some_epoch_fits(setup_.problem, standing(setup_, state_)))
    return finish(Ending::DeadlinePassed);
  std::vector<NodeSetId> without = unusable_sets(setup_, state_);
  if (without.size() == setup_.scenario.node_sets.size()) return wait_for_nodes();
  state_.activity = Activity::Deciding;
  // Who waits for a first look again and again is tired of it some day.
  if (!state_.is_start_known) return begin(RoundKind::FirstLook);
  state_.waiting_since.reset();
  actions_.emplace_back(AskStrategy{std::move(without)});
}

void RunStep::wait_for_nodes() {
  state_.activity = Activity::Waiting;
  if (!state_.waiting_since) state_.waiting_since = state_.at;
}

void RunStep::has_no_plan(const PlanDecided& plan) {
  if (plan.without.empty()) return finish(Ending::NothingToSay);
  wait_for_nodes();
}

void RunStep::finish(Ending ending) {
  state_.end = ending;
  state_.outlay.until = state_.at;
  actions_.emplace_back(FinishRun{});
}

}  // namespace espalier
