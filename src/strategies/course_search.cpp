// SPDX-License-Identifier: Apache-2.0
#include "strategies/course_search.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "strategies/course_moves.h"

namespace espalier {
namespace {

// A move must save at least this share of the energy.
constexpr double kWorthIt = 1e-6;
constexpr int kMostMoves = 200;

}  // namespace

CourseSearch::CourseSearch(CourseTrial& trial, std::vector<PlacementId> placements, double share,
                           std::stop_token stop)
    : trial_(trial), placements_(std::move(placements)), share_(share), stop_(std::move(stop)) {}

TrialResult CourseSearch::offer(const Course& course) {
  trial_.prepare(course);
  TrialResult result = trial_.run_until(course, share_);
  ++tried_;
  keep(result);
  return result;
}

bool CourseSearch::keep(const TrialResult& result) {
  if (result.share > likeliest_.share) likeliest_ = result;
  if (result.share < share_) return false;
  if (best_ && !(result.mean_energy.value < best_->mean_energy.value * (1 - kWorthIt)))
    return false;
  best_ = result;
  return true;
}

void CourseSearch::improve() {
  for (int i = 0; i < kMostMoves && best_ && !stop_.stop_requested(); ++i) {
    if (take_best_of(shifted_switches(best_->course))) continue;
    if (take_best_of(other_stretches(best_->course, placements_))) continue;
    if (!take_best_of(other_data(trial_.problem(), best_->course))) break;
  }
}

bool CourseSearch::take_best_of(std::vector<Course> courses) {
  std::erase_if(courses, [&](const Course& course) {
    return !known_.insert(course).second || !keeps_to_its_data(trial_.problem(), course);
  });
  for (const Course& course : courses) trial_.prepare(course);
  std::vector<TrialResult> results(courses.size());
  for_each_index(courses.size(), 0, [&](unsigned, std::size_t i) {
    if (!stop_.stop_requested()) results[i] = trial_.run_until(courses[i], share_);
  });
  tried_ += static_cast<std::int64_t>(courses.size());
  bool is_better = false;
  for (const TrialResult& result : results) is_better |= keep(result);
  return is_better;
}

}  // namespace espalier
