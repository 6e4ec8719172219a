// SPDX-License-Identifier: Apache-2.0
// How a fixed plan fares on many realisations at once.
#pragma once

#include <cstdint>

#include "realisations/ensemble.h"
#include "strategies/course.h"

namespace espalier {

struct TrialResult {
  double share = 0;  // of the members that reach the goal in time
  std::size_t reached = 0;
  Joules mean_energy{};  // of all members; a run ends when it reaches the goal
  Seconds time{};        // when the course ends
  Course course;         // as far as it was followed
};

// Members share the costs of a course, but not its losses. Not thread safe but for run().
class CourseTrial {
 public:
  // `problem` must outlive this.
  CourseTrial(const Problem& problem, const State& start, std::uint64_t seed, std::size_t members)
      : problem_(problem), start_(start), ensemble_(problem, seed, members) {}

  // Draws the luck that this course may need in run().
  void prepare(const Course& course);

  // Follows the course until it ends, or is impossible, or late. Thread safe. REQUIRES: prepared.
  TrialResult run(const Course& course) const;
  // The same, but its last stretch ends when `share` of the members have reached the goal, whether
  // that is earlier or (up to reach_of()) later than it says.
  TrialResult run_until(const Course& course, double share) const;

  const Problem& problem() const { return problem_; }
  std::size_t members() const { return ensemble_.size(); }

 private:
  class Walk;
  int reach_of(const Course& course) const;

  const Problem& problem_;
  State start_;
  Ensemble ensemble_;
};

}  // namespace espalier
