// SPDX-License-Identifier: Apache-2.0
// The cheapest fixed plan that reaches the goal often enough, from good ones to begin with.
#pragma once

#include <optional>
#include <set>
#include <stop_token>
#include <vector>

#include "courses/course_trial.h"

namespace espalier {

// Problem.    Least mean energy over fixed plans such that a share of the members of an ensemble
//             reaches the goal in time.
// Idea.       If nothing reaches the share, up to it from the likeliest course. Then
//             descent: shift switches until that helps no more, then change a stretch, then shift
//             again. Every course is tried on the whole ensemble, its last stretch as long as it
//             takes, so that all courses compared reach the same share. The moves are tried side
//             by side on all cores, and the best is taken: the result does not depend on how many.
class CourseSearch {
 public:
  // Stretches move to `placements`; if there are none, only switches move. `trial` must outlive
  // this.
  CourseSearch(CourseTrial& trial, std::vector<PlacementId> placements, double share,
               std::stop_token stop);

  // Those that reach the share, as long as it takes, cheapest first; `most` at most.
  std::vector<Course> cheapest_of(const std::vector<Course>& courses, std::size_t most);

  // Tries them all, then moves on from the best `starts` of them while that helps. The ends of
  // those ways, best first; none if no course reaches the share.
  std::vector<TrialResult> improve_from(const std::vector<Course>& courses, std::size_t starts);

  // Of all that were tried: the one that most members reach the goal with.
  const TrialResult& likeliest() const { return likeliest_; }
  std::int64_t tried() const { return tried_; }

 private:
  std::vector<TrialResult> ranked(const std::vector<Course>& courses, std::size_t most);
  std::vector<TrialResult> try_all(std::vector<Course> courses,
                                   const CourseTrial::Trail* near = nullptr);
  TrialResult improved(TrialResult from);
  TrialResult with_switches_shifted(TrialResult from);
  bool step(TrialResult& from, const std::vector<Course>& courses);
  bool is_improvement(const TrialResult& from, const TrialResult& to) const;

  CourseTrial& trial_;
  const std::vector<PlacementId> placements_;
  const double share_;
  const std::stop_token stop_;
  TrialResult likeliest_;
  std::set<Course> known_;
  std::int64_t tried_ = 0;
};

}  // namespace espalier
