// SPDX-License-Identifier: Apache-2.0
// From the loosest bound to the tightest. A plan found for a bound is the answer for all bounds
// down to what it reaches, so the next question is just below that: the frontier itself, point by
// point. If there are many points, the rest of the way is covered by a grid.
#include "analysis/frontier.h"

#include <algorithm>
#include <cmath>

#include "analysis/nearest_goal.h"
#include "strategies/exact.h"

namespace espalier {
namespace {

// Points found one by one, then lines of the grid over the rest; fewer of each where a plan takes
// longer.
constexpr int kPoints = 100;
constexpr int kPointsOfLarge = 12;
constexpr std::size_t kLarge = 40;
// What a bound must be tightened by to exclude the plan that just meets it.
constexpr double kTighter = 1e-6;

class Tracer {
 public:
  Tracer(const Problem& problem, FrontierAxis axis, const PlannerOptions& options,
         std::stop_token stop)
      : problem_(problem),
        axis_(axis),
        options_(options),
        estimator_(options.estimator.value_or(Estimator::Expected)),
        stop_(std::move(stop)) {}

  Frontier run() {
    frontier_.axis = axis_;
    const auto tightest = tightest_bound();
    if (!tightest) return frontier_;
    const int most = problem_.size() > kLarge ? kPointsOfLarge : kPoints;
    double ratio = 1;
    double bound = loosest_bound();
    for (int i = 1; !stop_.stop_requested() && solve(bound); ++i) {
      const double reached = frontier_.points.back().bound;
      if (reached <= *tightest * (1 + 2 * kTighter)) break;
      if (i == most) ratio = std::pow(*tightest / reached, 1.0 / most);
      const double below = reached * (1 - kTighter);
      if (ratio * bound < below) frontier_.complete = false;
      bound = std::max(*tightest, std::min(below, ratio * bound));
    }
    if (stop_.stop_requested()) frontier_.complete = false;
    std::reverse(frontier_.points.begin(), frontier_.points.end());
    return frontier_;
  }

 private:
  std::optional<double> tightest_bound() const {
    const Nearest nearest = nearest_goal(problem_, estimator_, problem_.start(), stop_);
    if (axis_ == FrontierAxis::Deadline) {
      if (!nearest.deadline) return std::nullopt;
      return nearest.deadline->value;
    }
    if (!nearest.loss) return std::nullopt;
    return nearest.loss->value;
  }

  // A deadline that the least-energy plan keeps; a loss that one epoch reaches.
  double loosest_bound() const {
    if (axis_ == FrontierAxis::Target) return problem_.start().loss.value * (1 - kTighter);
    Goal goal = problem_.goal();
    goal.deadline = Seconds{1e18};
    const Problem unhurried = problem_.with_goal(goal);
    const PlanResult result = make_exact_planner(unhurried, estimator_, PlanShape::any(), options_)
                                  ->plan(unhurried.start(), stop_);
    return result.plan ? result.plan->end().time.value : problem_.goal().deadline.value;
  }

  bool solve(double bound) {
    Goal goal = problem_.goal();
    (axis_ == FrontierAxis::Deadline ? goal.deadline.value : goal.loss.value) = bound;
    const Problem bounded = problem_.with_goal(goal);
    PlanResult result = make_exact_planner(bounded, estimator_, PlanShape::any(), options_)
                            ->plan(bounded.start(), stop_);
    if (!result.plan || result.plan->steps.empty()) return false;
    const State end = result.plan->end();
    const double reached = axis_ == FrontierAxis::Deadline ? end.time.value : end.loss.value;
    const double gap = result.gap();
    auto& points = frontier_.points;
    if (!points.empty() && end.energy <= points.back().plan.end().energy) points.pop_back();
    points.push_back({reached, *std::move(result.plan), gap});
    return true;
  }

  const Problem& problem_;
  const FrontierAxis axis_;
  const PlannerOptions& options_;
  const Estimator estimator_;
  const std::stop_token stop_;
  Frontier frontier_;
};

}  // namespace

Frontier compute_frontier(const Problem& problem, FrontierAxis axis, const PlannerOptions& options,
                          std::stop_token stop) {
  return Tracer(problem, axis, options, std::move(stop)).run();
}

}  // namespace espalier
