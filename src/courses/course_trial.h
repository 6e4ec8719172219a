// SPDX-License-Identifier: Apache-2.0
// How a fixed plan fares on many realisations at once.
#pragma once

#include <cstdint>
#include <memory>

#include "courses/course.h"
#include "realisations/ensemble.h"

namespace espalier {

struct TrialResult {
  double share = 0;  // of the members that reach the goal in time
  std::size_t reached = 0;
  Joules mean_energy{};  // of all members; a run ends when it reaches the goal
  Seconds time{};        // when the course ends
  Course course;         // as far as it was followed
};

// Members share the costs of a course, but not its losses. Not thread safe but for const functions.
class CourseTrial {
 public:
  // `problem` must outlive this.
  CourseTrial(const Problem& problem, const State& start, std::uint64_t seed, std::size_t members)
      : problem_(problem), start_(start), ensemble_(problem, seed, members) {}

  // Draws the luck that run(), or run_until(), may need for this course.
  void prepare_run(const Course& course);
  void prepare_run_until(const Course& course);

  // Follows the course until it ends, or is impossible, or late. REQUIRES: prepared.
  TrialResult run(const Course& course) const;

  // Where all members were after every epoch of a course: others that begin alike need not go that
  // way again.
  class Trail;
  std::shared_ptr<const Trail> trail(const Course& course) const;

  // Follows the course, but its last stretch ends when `share` of the members have reached the
  // goal, whether that is earlier or (up to a multiple of all its epochs) later than it says.
  // REQUIRES: prepared; nowhere on the trail is that share reached but at its end.
  TrialResult run_until(const Course& course, double share, const Trail* near = nullptr) const;

  const Problem& problem() const { return problem_; }
  std::size_t members() const { return ensemble_.size(); }

 private:
  class Walk;

  const Problem& problem_;
  State start_;
  Ensemble ensemble_;
};

}  // namespace espalier
