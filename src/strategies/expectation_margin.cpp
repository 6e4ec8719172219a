// SPDX-License-Identifier: Apache-2.0
// Problem.    A planner that looks at expected values only reaches the goal in about half of the
//             runs. How dear is it if it is made to reach it often enough?
// Idea.       It aims at a lower loss than asked for; the smallest margin that keeps the promise is
//             found by bisection, each plan tried on an ensemble, the last one judged on a fresh
//             one.
#include "strategies/expectation_margin.h"

#include <algorithm>

#include "courses/committed_planner.h"
#include "courses/promise.h"
#include "realisations/truth.h"
#include "strategies/described.h"
#include "strategies/exact.h"

namespace espalier {
namespace {

// Halvings of the margin: to a thousandth of the target loss.
constexpr int kSteps = 10;

class MarginPlanner final : public CommittedPlanner {
 public:
  MarginPlanner(const Problem& problem, const PlannerOptions& options)
      : CommittedPlanner(problem), options_(options) {}

  std::unique_ptr<Planner> fork() const override { return std::make_unique<MarginPlanner>(*this); }

 private:
  PlanResult decide(const State& now, const std::stop_token& stop) override {
    Promises promises(problem(), now, options_.judged_runs, stop);
    if (options_.margin) return with_margin(promises, *options_.margin, now, stop);
    if (!has_noise(problem())) return with_margin(promises, Loss{0}, now, stop);
    const auto promise = promises.make([&](CourseTrial& trial, double share) {
      return with_least_margin(trial, share, now, stop);
    });
    return promise ? result_of(problem(), now, *promise) : PlanResult{};
  }

  PlanResult with_margin(const Promises& promises, Loss margin, const State& now,
                         const std::stop_token& stop) const {
    const auto course = tightened(margin, now, stop);
    if (!course) return {};
    PlanResult result = result_of(problem(), now, {*course, promises.judge(*course)});
    // Whoever gives the margin takes what probability it gives.
    result.verdict = Verdict::Feasible;
    return result;
  }

  // The exact plan for a lower target, if there is one.
  std::optional<Course> tightened(Loss margin, const State& now,
                                  const std::stop_token& stop) const {
    Goal goal = problem().goal();
    goal.loss = goal.loss - margin;
    if (!(goal.loss.value > 0)) return std::nullopt;
    const Problem tighter = problem().with_goal(goal);
    const PlanResult result =
        make_exact_planner(tighter, Estimator::Expected, PlanShape::any(), options_)
            ->plan(now, stop);
    const bool reaches =
        result.plan && goal.reached(result.plan->end().loss, result.plan->end().time);
    return reaches ? std::optional(course_of(*result.plan)) : std::nullopt;
  }

  // Too large a margin cannot be planned for, too small a one misses too often.
  std::optional<Course> with_least_margin(CourseTrial& trial, double share, const State& now,
                                          const std::stop_token& stop) const {
    std::optional<Course> best;
    Loss low{0};
    Loss high = problem().goal().loss;
    Loss margin{0};
    for (int step = 0; step <= kSteps && !stop.stop_requested(); ++step) {
      const auto course = tightened(margin, now, stop);
      if (course) trial.prepare_run(*course);
      const bool is_enough = course && trial.run(*course).share >= share;
      if (is_enough) best = course;
      if (is_enough && step == 0) break;
      if (step > 0) (course && !is_enough ? low : high) = margin;
      margin = (low + high) * 0.5;
    }
    return best;
  }

  const PlannerOptions options_;
};

}  // namespace

const Strategy& expectation_margin_strategy() {
  static const DescribedStrategy strategy(
      {.name = "expectation-margin",
       .summary = "expectation, aiming lower by what it takes to keep the promise",
       .description =
           "The cheapest plan on expected values for a lower target than asked for. The margin is "
           "the smallest that reaches the goal with the scenario's probability, or what --margin "
           "says. It stands by its plan.",
       .estimator = Estimator::Expected,
       .promises = true,
       .commits = true},
      [](const Problem& problem, Estimator, const PlannerOptions& options) {
        return std::unique_ptr<Planner>(std::make_unique<MarginPlanner>(problem, options));
      });
  return strategy;
}

}  // namespace espalier
