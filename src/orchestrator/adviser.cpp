// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/adviser.h"

#include <algorithm>

#include "core/error.h"
#include "core/plan_checker.h"
#include "courses/course_trial.h"
#include "orchestrator/believed_scenario.h"
#include "realisations/confidence.h"
#include "realisations/truth.h"

namespace espalier {
namespace {

// On which the chance of a plan is counted, after every epoch: ± 2 % at most. The seed is far from
// those that strategies search with.
constexpr std::size_t kTrials = 2'000;
constexpr std::uint64_t kSeed = 0x70726f7370656374;

bool offers_data(const Scenario& scenario) {
  return std::ranges::any_of(scenario.node_sets,
                             [](const NodeSetSpec& set) { return set.data_options.size() > 1; });
}

}  // namespace

Adviser::Adviser(const RunSetup& setup, Advising advising)
    : setup_(setup), advising_(std::move(advising)) {
  advising_.planning.horizon = Horizon::ToTheEnd;
  if (advising_.beliefs) outlook_ = advising_.beliefs->outlooks(setup_.problem)(0);
}

Problem Adviser::believed(const Plan& course, const std::vector<NodeSetId>& without) {
  Problem problem = outlook_ ? outlook_->after(course) : setup_.problem;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const PlacementId p{static_cast<std::int32_t>(i)};
    if (std::ranges::find(without, problem.training(p).at.nodes) != without.end())
      problem = problem.without(p);
  }
  return problem;
}

// A planner that commits keeps what it was told first; others hear what is believed by now.
void Adviser::prepare(const Plan& course, const std::vector<NodeSetId>& without) {
  const bool commits = advising_.strategy.info().commits;
  const bool is_fit = planner_ && without == without_ && (!outlook_ || commits);
  if (is_fit) return;
  planner_.reset();
  problem_ = believed(course, without);
  without_ = without;
  planner_ = advising_.strategy.planner(*problem_, advising_.planning);
}

PlanResult Adviser::plan(const Plan& course, const std::vector<NodeSetId>& without,
                         std::stop_token stop) {
  prepare(course, without);
  PlanResult result = planner_->plan(course.end(), std::move(stop));
  judge(result);
  return result;
}

void Adviser::judge(const PlanResult& result) const {
  // Rates of data options are part of what is believed; the checker would count them twice.
  if (!result.plan || (outlook_ && offers_data(setup_.scenario))) return;
  // Who promises a probability may go on where the expected course falls short.
  const bool claims_goal =
      !result.chance && !advising_.strategy.info().promises &&
      (result.verdict == Verdict::Optimal || result.verdict == Verdict::Feasible);
  const auto faults =
      check_plan(outlook_ ? believed_scenario(setup_.scenario, *problem_) : setup_.scenario,
                 *problem_, result, claims_goal ? GoalDemand::Needed : GoalDemand::NotNeeded);
  if (faults.empty()) return;
  throw Error(ErrorCode::Bug,
              "the plan of '" + advising_.strategy.info().name + "' is wrong: " + faults.front(),
              "this is a bug in espalier; please report it with the run's folder");
}

std::optional<Chance> Adviser::prospect(const State& now, const PlanResult& result) const {
  const StrategyInfo& info = advising_.strategy.info();
  if (!result.plan || result.plan->steps.empty()) return std::nullopt;
  if (result.chance && !result.chance->is_of_start) return result.chance;
  if (!has_noise(*problem_) && !info.promises) return std::nullopt;
  const Course course = course_of(*result.plan);
  CourseTrial trial(*problem_, now, kSeed, kTrials);
  trial.prepare_run(course);
  const TrialResult tried = trial.run(course);
  return Chance{tried.share, clopper_pearson(tried.reached, kTrials), kTrials, tried.mean_energy};
}

Plan with_spent(Plan course, const Spent& spent) {
  Seconds& time = course.steps.empty() ? course.start.time : course.steps.back().time;
  Joules& energy = course.steps.empty() ? course.start.energy : course.steps.back().energy;
  time = spent.time;
  energy = spent.energy;
  return course;
}

void Adviser::recall(const RunState& state, const std::stop_token& stop) {
  const StrategyInfo& info = advising_.strategy.info();
  // With renewed beliefs every plan is that of a new planner, unless it commits.
  if (!info.commits && (!info.remembers || outlook_)) return;
  // Its planner was made when other node sets were to be had than before.
  const auto& all = state.asked;
  const auto last_other = std::find_if(all.rbegin(), all.rend(), [&](const AskedAt& asked) {
    return asked.without != all.back().without;
  });
  for (auto asked = last_other.base(); asked != all.end() && !stop.stop_requested(); ++asked) {
    Plan course{state.course.start, state.course.steps};
    course.steps.resize(static_cast<std::size_t>(asked->epochs));
    plan(asked->spent ? with_spent(std::move(course), *asked->spent) : course, asked->without,
         stop);
  }
}

}  // namespace espalier
