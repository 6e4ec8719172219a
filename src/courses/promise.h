// SPDX-License-Identifier: Apache-2.0
// From fixed plans to a promise: one that reaches the goal with the probability asked for.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "courses/course_trial.h"

namespace espalier {

// A fixed plan and its chance on realisations that nobody has looked at before.
struct Promise {
  Course course;
  Chance chance;
};

// Problem.    What was chosen on an ensemble looks better there than it is.
// Idea.       The plan is fitted on a larger ensemble, with a margin for its size, and judged on a
//             fresh one. It is promised only if the lower end of the confidence interval there is
//             no lower than the probability; otherwise the margin grows and another fresh ensemble
//             judges.
class Promises {
 public:
  // A course that reaches the goal in the share demanded of the members, if there is one.
  using Fit = std::function<std::optional<Course>(CourseTrial& trial, double share)>;

  // So many realisations to fit a plan to, and as many to judge it. `problem` must outlive this.
  Promises(const Problem& problem, const State& start, std::size_t runs, std::stop_token stop);

  // Nothing if nothing can be promised.
  std::optional<Promise> make(const Fit& fit);
  // How likely this course reaches the goal.
  Chance judge(const Course& course) const { return judge(course, 0); }

  // What the share on the ensemble for fitting must be for a promise to hold, most likely.
  double demand() const { return demand_; }

 private:
  Chance judge(const Course& course, std::uint64_t attempt) const;

  const Problem& problem_;
  const State start_;
  const std::size_t runs_;
  const std::stop_token stop_;
  CourseTrial fitting_;
  double demand_;
};

// The plan of a promise, as a strategy returns it: under the expected estimate, to its end.
PlanResult result_of(const Problem& problem, const State& start, const Promise& promise);

}  // namespace espalier
