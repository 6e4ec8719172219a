// SPDX-License-Identifier: Apache-2.0
#include "studies/plan_study.h"

#include <chrono>

#include "analysis/nearest_goal.h"
#include "analysis/nearest_promise.h"
#include "core/error.h"
#include "core/near_miss.h"
#include "io/wording.h"
#include "strategies/registry.h"
#include "studies/judge.h"
#include "studies/suitability.h"

namespace espalier {
namespace {

class PlanningWatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

Nearest nearest(const PlanStudy& study, const PlanResult& result, std::stop_token stop) {
  const Problem& problem = study.input.estimated;
  if (!study.strategy.info().promises)
    return nearest_goal(problem, result.estimator, problem.start(), stop);
  // What a plan can promise, a policy can; and a plan is found sooner.
  const bool is_policy = study.strategy.info().name == "policy";
  const Strategy& asked = is_policy ? strategy_named("depl") : study.strategy;
  return nearest_promise(asked, problem, result, study.planning, stop);
}

void judge_all(const PlanStudy& study, const PlanReport& report) {
  // A biased problem is not what the scenario says, and the judge knows the scenario only.
  const Input& input = study.input;
  if (input.is_biased) return;
  judge(input.scenario, input.estimated, study.strategy.info().name, report.result);
  for (const Alternative& a : report.alternatives) {
    judge(input.scenario, input.estimated, a.strategy, a.result);
  }
}

}  // namespace

Planned PlanStudy::planned() const {
  return {input.scenario, input.estimated, strategy.info(), input.words};
}

Estimator PlanStudy::estimator() const {
  return planning.estimator.value_or(strategy.info().estimator);
}

bool reaches_goal(const PlanStudy& study, const PlanResult& result) {
  if (!result.plan) return false;
  if (result.chance) return result.verdict != Verdict::Infeasible;
  const State end = result.plan->end();
  return study.input.estimated.goal().reached(end.loss, end.time);
}

PlanReport study_plan(const PlanStudy& study, Planner& planner, std::stop_token stop) {
  const Problem& problem = study.input.estimated;
  const StrategyInfo& strategy = study.strategy.info();
  const PlanningWatch watch;
  PlanReport report{study.planned(), planner.plan(problem.start(), stop), {}, {}, {}, {}, 0};
  report.seconds = watch.seconds();
  report.notes = report.result.notes;
  for (std::string& caveat : caveats(problem, strategy, report.result.estimator)) {
    report.notes.push_back(std::move(caveat));
  }
  if (report.result.verdict == Verdict::Infeasible)
    report.nearest = nearest(study, report.result, stop);
  if (study.extras.reasons && !report.result.chance && reaches_goal(study, report.result))
    report.reasons = explain(problem, report.result, study.planning, stop);
  if (study.extras.alternatives)
    report.alternatives = alternatives_to(problem, strategy, report.result, study.planning, stop);
  judge_all(study, report);
  return report;
}

FrontierReport study_frontier(const PlanStudy& study, FrontierAxis axis, std::stop_token stop) {
  const Problem& problem = study.input.estimated;
  const PlanningWatch watch;
  FrontierReport report{study.planned(), study.estimator(),
                        compute_frontier(problem, axis, study.planning, std::move(stop)),
                        caveats(problem, study.strategy.info(), study.estimator()), 0};
  report.seconds = watch.seconds();
  return report;
}

FrontierAxis parse_axis(const std::string& text) {
  if (text == "deadline") return FrontierAxis::Deadline;
  if (text == "loss") return FrontierAxis::Target;
  throw Error(ErrorCode::BadInput,
              "unknown frontier '" + shown(text) + "'" +
                  did_you_mean(text, std::vector<std::string>{"deadline", "loss"}),
              "it is the frontier of the deadline or of the loss");
}

Estimator parse_estimator(const std::string& text) {
  if (text == "expected") return Estimator::Expected;
  if (text == "robust") return Estimator::Robust;
  const std::vector<std::string> known{"expected", "robust"};
  throw Error(ErrorCode::BadInput,
              "unknown estimator '" + shown(text) + "'" + did_you_mean(text, known),
              "write expected or robust");
}

}  // namespace espalier
