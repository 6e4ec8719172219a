// SPDX-License-Identifier: Apache-2.0
#include "courses/course_trial.h"

#include <gtest/gtest.h>

#include "courses/course_moves.h"
#include "realisations/truth.h"
#include "support/random_scenario.h"

namespace espalier {
namespace {

using support::random_scenario;
using support::RuleKind;

Scenario noisy(std::uint64_t seed) {
  Scenario scenario = random_scenario(seed, {.epochs = 12, .kind = RuleKind::Power, .noisy = true});
  scenario.goal.deadline = scenario.goal.deadline * 2;
  return scenario;
}

// Some epochs at one placement, then some at another, as far as changes allow.
Course some_course(const Problem& problem) {
  Course course;
  PlacementId at = problem.start().placement;
  for (std::size_t p = 0; p < problem.size() && course.size() < 2; ++p) {
    const PlacementId to{static_cast<std::int32_t>(p)};
    if (!problem.training(to).possible || !problem.change(at, to)) continue;
    course.push_back({to, 4});
    at = to;
  }
  return course;
}

struct Counted {
  std::size_t reached = 0;
  double energy = 0;
};

// The same, run by run.
Counted follow_one_by_one(const Problem& problem, const Course& course, std::uint64_t seed,
                          std::size_t runs) {
  Counted counted;
  for (std::size_t run = 0; run < runs; ++run) {
    const Truth truth(problem, seed, run);
    State now = problem.start();
    for (const PlacementId to : placements_of(course)) {
      if (problem.goal().reached(now.loss, now.time)) break;
      const auto next = truth.advance(now, to);
      if (!next || next->time > problem.goal().time_bound()) break;
      now = *next;
    }
    counted.reached += problem.goal().reached(now.loss, now.time);
    counted.energy += now.energy.value;
  }
  return counted;
}

TEST(CourseTrial, CountsWhatRunsOneByOneGive) {
  int interesting = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Problem problem = Problem::estimated(noisy(seed));
    const Course course = some_course(problem);
    CourseTrial trial(problem, problem.start(), 5, 300);
    trial.prepare_run(course);
    const TrialResult result = trial.run(course);
    const Counted counted = follow_one_by_one(problem, course, 5, 300);
    EXPECT_EQ(result.reached, counted.reached);
    EXPECT_NEAR(result.mean_energy.value, counted.energy / 300, 1e-9 * counted.energy);
    interesting += counted.reached > 0 && counted.reached < 300;
  }
  EXPECT_GT(interesting, 3);
}

TEST(CourseTrial, TheLastStretchIsAsLongAsItTakesAndNoLonger) {
  int ended = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Problem problem = Problem::estimated(noisy(seed));
    const Course course = some_course(problem);
    CourseTrial trial(problem, problem.start(), 5, 300);
    trial.prepare_run_until(course);
    const TrialResult result = trial.run_until(course, 0.8);
    if (result.share < 0.8) continue;
    ++ended;
    EXPECT_EQ(trial.run(result.course).reached, result.reached);
    Course shorter = result.course;
    --shorter.back().epochs;
    EXPECT_LT(trial.run(tidied(shorter)).share, 0.8);
  }
  EXPECT_GT(ended, 5);
}

TEST(CourseTrial, ATrailChangesNothingButTheTime) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Problem problem = Problem::estimated(noisy(seed));
    const Course course = some_course(problem);
    CourseTrial trial(problem, problem.start(), 5, 200);
    trial.prepare_run_until(course);
    const auto trail = trial.trail(trial.run_until(course, 0.7).course);
    for (const Course& other : shifted_switches(course)) {
      trial.prepare_run_until(other);
      const TrialResult with = trial.run_until(other, 0.7, trail.get());
      const TrialResult without = trial.run_until(other, 0.7);
      EXPECT_EQ(with.course, without.course);
      EXPECT_EQ(with.reached, without.reached);
      EXPECT_EQ(with.mean_energy, without.mean_energy);
    }
  }
}

TEST(CourseMoves, NeverGiveEmptyStretchesNorTheSameCourse) {
  const Course course{{{0}, 3}, {{1}, 1}, {{0}, 2}};
  const std::vector<PlacementId> placements{{0}, {1}, {2}};
  for (const auto& moves : {shifted_switches(course), other_stretches(course, placements)}) {
    EXPECT_FALSE(moves.empty());
    for (const Course& move : moves) {
      EXPECT_NE(move, course);
      EXPECT_EQ(move, tidied(move));
      EXPECT_FALSE(move.empty());
    }
  }
}

}  // namespace
}  // namespace espalier
