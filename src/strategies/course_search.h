// SPDX-License-Identifier: Apache-2.0
// The cheapest fixed plan that reaches the goal often enough, from good ones to begin with.
#pragma once

#include <optional>
#include <set>
#include <stop_token>
#include <vector>

#include "strategies/course_trial.h"

namespace espalier {

// Problem.    Least mean energy over fixed plans such that a share of the members of an ensemble
//             reaches the goal in time.
// Idea.       Descent: shift switches until that helps no more, then change a stretch, then shift
//             again. Every course is tried on the whole ensemble, its last stretch as long as it
//             takes, so that all courses compared reach the same share. The moves are tried side
//             by side on all cores, and the best is taken: the result does not depend on how many.
// Invariant.  best() has been seen to reach the share.
class CourseSearch {
 public:
  // `trial` must outlive this.
  CourseSearch(CourseTrial& trial, std::vector<PlacementId> placements, double share,
               std::stop_token stop);

  // Tries a course. Returns how it fared.
  TrialResult offer(const Course& course);
  // Moves on from the best course while that helps.
  void improve();

  const std::optional<TrialResult>& best() const { return best_; }
  // Of all that were tried: the one that most members reach the goal with.
  const TrialResult& likeliest() const { return likeliest_; }
  std::int64_t tried() const { return tried_; }

 private:
  bool take_best_of(std::vector<Course> courses);
  bool keep(const TrialResult& result);

  CourseTrial& trial_;
  const std::vector<PlacementId> placements_;
  const double share_;
  const std::stop_token stop_;
  std::optional<TrialResult> best_;
  TrialResult likeliest_;
  std::set<Course> known_;
  std::int64_t tried_ = 0;
};

}  // namespace espalier
