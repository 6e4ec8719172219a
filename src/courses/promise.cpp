// SPDX-License-Identifier: Apache-2.0
#include "courses/promise.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "realisations/confidence.h"

namespace espalier {
namespace {

// Far from the seeds that people choose for their simulations.
constexpr std::uint64_t kFittingSeed = 0x66697474696e6700;
constexpr std::uint64_t kJudgingSeed = 0x6a756467696e6700;
constexpr std::uint64_t kAttempts = 5;
// Standard errors between the probability and the share demanded: the judge's interval takes about
// two, and fitting and judging differ by chance.
constexpr double kErrors = 2.6;

double standard_error(double probability, std::size_t runs) {
  return std::sqrt(probability * (1 - probability) / static_cast<double>(runs));
}

}  // namespace

Promises::Promises(const Problem& problem, const State& start, std::size_t runs,
                   std::stop_token stop)
    : problem_(problem),
      start_(start),
      runs_(runs),
      stop_(std::move(stop)),
      fitting_(problem, start, kFittingSeed, runs) {
  const double probability = problem.goal().probability;
  const double most = 0.5 * (1 + probability);  // leaves room below 1
  demand_ = std::min(most, probability + kErrors * standard_error(probability, runs));
}

std::optional<Promise> Promises::make(const Fit& fit) {
  double demand = demand_;
  for (std::uint64_t attempt = 1; attempt <= kAttempts && !stop_.stop_requested(); ++attempt) {
    const auto course = fit(fitting_, demand);
    if (!course) return std::nullopt;
    Promise promise{*course, judge(*course, attempt)};
    const double missing = problem_.goal().probability - promise.chance.interval.low;
    if (missing <= 0) return promise;
    demand += missing;
  }
  return std::nullopt;
}

Chance Promises::judge(const Course& course, std::uint64_t attempt) const {
  CourseTrial fresh(problem_, start_, kJudgingSeed + attempt, runs_);
  fresh.prepare_run(course);
  const TrialResult result = fresh.run(course);
  return {result.share, clopper_pearson(result.reached, runs_), runs_, result.mean_energy};
}

PlanResult result_of(const Problem& problem, const State& start, const Promise& promise) {
  PlanResult result;
  result.estimator = Estimator::Expected;
  result.plan = follow_to_end(problem, Estimator::Expected, start, placements_of(promise.course));
  result.chance = promise.chance;
  const bool holds = promise.chance.interval.low >= problem.goal().probability;
  result.verdict = holds ? Verdict::Feasible : Verdict::Infeasible;
  return result;
}

}  // namespace espalier
