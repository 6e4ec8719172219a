// SPDX-License-Identifier: Apache-2.0
#include "policies/policy_planner.h"

#include <map>

#include "core/error.h"
#include "policies/policy_trial.h"
#include "realisations/truth.h"

namespace espalier {
namespace {

// Epochs that take no time could go on for ever.
constexpr std::size_t kLongestPlan = 100'000;
// On which the chance that is left is counted, after every epoch: ± 2 % at most.
constexpr std::size_t kRunsOnTheWay = 2'000;

bool has_several_data_options(const Problem& problem) {
  std::map<NodeSetId, DataOptionId> used;
  for (const Training& t : problem.placements()) {
    if (t.possible && used.try_emplace(t.at.nodes, t.at.data).first->second != t.at.data)
      return true;
  }
  return false;
}

PlanResult stopped() {
  PlanResult result;
  result.verdict = Verdict::Limit;
  return result;
}

}  // namespace

void check_suits_policy(const Problem& problem) {
  if (problem.last_special_epoch() > 0) {
    throw Error(ErrorCode::BadInput,
                "policy cannot plan with rules that depend on the epoch's number ('steps')",
                "give rate, floor and power, or a curve; or use another strategy");
  }
  if (has_several_data_options(problem)) {
    throw Error(ErrorCode::BadInput, "policy cannot choose between data options",
                "leave one for each node set; or use another strategy");
  }
}

PlanResult PolicyPlanner::plan(const State& now, std::stop_token stop) {
  if (!found_) {
    auto found = find_policy(problem_, options_, stop);
    if (found.policy) found_ = std::make_shared<const FoundPolicy>(std::move(found));
  }
  if (!found_) return stopped();
  if (!is_start(now) && continues_run(now))
    belief_.observe(problem_, *last_, now);
  else if (!is_asked_again(now))
    belief_ = {};
  last_ = now;
  if (!is_start(now)) return plan_from(now, stop);
  if (!from_start_) from_start_ = plan_from_start();
  return *from_start_;
}

bool PolicyPlanner::is_start(const State& now) const {
  const State& start = problem_.start();
  return now.placement == start.placement && now.epoch == start.epoch && now.loss == start.loss &&
         now.time == start.time;
}

// Times and energies may differ from what was estimated: real runs have their own.
bool PolicyPlanner::continues_run(const State& now) const {
  return last_ && now.epoch == last_->epoch + 1 && now.time >= last_->time &&
         now.energy >= last_->energy && problem_.change(last_->placement, now.placement);
}

// Time may have gone by since.
bool PolicyPlanner::is_asked_again(const State& now) const {
  return last_ && now.epoch == last_->epoch && now.placement == last_->placement &&
         now.loss == last_->loss;
}

PlanResult PolicyPlanner::plan_from_start() {
  PlanResult result;
  result.plan = expected_course(problem_.start(), kLongestPlan);
  result.chance = found_->chance;
  result.stats.bytes = found_->bytes;
  judge_end(result);
  if (!found_->keeps_promise)
    result.notes.emplace_back("no policy was found that reaches the goal with its probability");
  return result;
}

PlanResult PolicyPlanner::plan_from(const State& now, const std::stop_token& stop) const {
  PlanResult result;
  const bool is_quick = horizon_ == Horizon::NextEpoch;
  result.plan = expected_course(now, is_quick ? 1 : kLongestPlan);
  const bool is_reached = problem_.goal().reached(now.loss, now.time);
  if (result.plan->steps.empty() && !is_reached) {
    result.plan.reset();
    result.notes.emplace_back("gave up: going on would cost more than it is worth");
    return result;
  }
  if (is_quick || is_reached) {
    result.verdict = is_reached || found_->keeps_promise ? Verdict::Feasible : Verdict::Infeasible;
    return result;
  }
  judge_end(result);
  const Chance left =
      try_policy_from({now, belief_}, *found_->policy, {.runs = kRunsOnTheWay}, stop);
  if (!stop.stop_requested()) result.chance = left;
  return result;
}

void PolicyPlanner::judge_end(PlanResult& result) const {
  const State end = result.plan->end();
  const bool is_reached = problem_.goal().reached(end.loss, end.time);
  result.verdict = Verdict::Infeasible;
  if (!found_->keeps_promise) return;
  result.verdict = is_reached ? Verdict::Feasible : Verdict::Limit;
  if (!is_reached)
    result.notes.emplace_back("a run in which every epoch goes as expected is given up");
}

Plan PolicyPlanner::expected_course(State now, std::size_t epochs) const {
  Plan plan{now, {}};
  RunBelief belief = belief_;
  while (plan.steps.size() < epochs && !problem_.goal().reached(now.loss, now.time)) {
    const auto to = found_->policy->choose(now, belief);
    const auto next = to ? advance(problem_, Estimator::Expected, now, *to) : std::nullopt;
    if (!next) break;
    if (plan.steps.size() + 1 < epochs) belief.observe(problem_, now, *next);
    now = *next;
    plan.steps.push_back({now.placement, now.loss, now.time, now.energy, now.paid});
  }
  return plan;
}

}  // namespace espalier
