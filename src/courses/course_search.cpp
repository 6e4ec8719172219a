// SPDX-License-Identifier: Apache-2.0
#include "courses/course_search.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "courses/course_moves.h"

namespace espalier {
namespace {

// A move must save at least this share of the energy; one that makes the plan longer to tell, more;
// half of that may be spent on making it shorter to tell.
constexpr double kWorthIt = 1e-5;
constexpr double kWorthAStretch = 1e-3;
constexpr int kMostMoves = 200;
// Moves tried before the best of them is taken.
constexpr std::size_t kSideBySide = 32;

bool is_cheaper(const TrialResult& a, const TrialResult& b) {
  return a.mean_energy < b.mean_energy;
}

}  // namespace

CourseSearch::CourseSearch(CourseTrial& trial, std::vector<PlacementId> placements, double share,
                           std::stop_token stop)
    : trial_(trial), placements_(std::move(placements)), share_(share), stop_(std::move(stop)) {}

std::vector<Course> CourseSearch::cheapest_of(const std::vector<Course>& courses,
                                              std::size_t most) {
  std::vector<Course> cheapest;
  for (TrialResult& result : ranked(courses, most)) cheapest.push_back(std::move(result.course));
  return cheapest;
}

std::vector<TrialResult> CourseSearch::improve_from(const std::vector<Course>& courses,
                                                    std::size_t starts) {
  std::vector<TrialResult> results = ranked(courses, starts);
  if (results.empty() && !likeliest_.course.empty()) results.push_back(likeliest_);
  for (TrialResult& result : results) result = improved(std::move(result));
  std::erase_if(results, [&](const TrialResult& result) { return result.share < share_; });
  std::stable_sort(results.begin(), results.end(), is_cheaper);
  return results;
}

std::vector<TrialResult> CourseSearch::ranked(const std::vector<Course>& courses,
                                              std::size_t most) {
  std::vector<TrialResult> results = try_all(courses);
  std::erase_if(results, [&](const TrialResult& result) { return result.share < share_; });
  std::stable_sort(results.begin(), results.end(), is_cheaper);
  if (results.size() > most) results.resize(most);
  return results;
}

TrialResult CourseSearch::improved(TrialResult from) {
  for (int i = 0; i < kMostMoves && !stop_.stop_requested(); ++i) {
    from = with_switches_shifted(std::move(from));
    if (placements_.empty()) break;
    const bool is_better = step(from, other_stretches(from.course, placements_)) ||
                           step(from, other_data(trial_.problem(), from.course));
    if (!is_better) break;
  }
  return from;
}

TrialResult CourseSearch::with_switches_shifted(TrialResult from) {
  for (int i = 0; i < kMostMoves && !stop_.stop_requested(); ++i) {
    if (!step(from, shifted_switches(from.course))) break;
  }
  return from;
}

// The best of the first moves that hold a better course.
bool CourseSearch::step(TrialResult& from, const std::vector<Course>& courses) {
  const auto trail = trial_.trail(from.course);
  bool is_better = false;
  for (std::size_t at = 0; at < courses.size() && !is_better; at += kSideBySide) {
    const auto first = courses.begin() + static_cast<std::ptrdiff_t>(at);
    const auto last =
        first + static_cast<std::ptrdiff_t>(std::min(kSideBySide, courses.size() - at));
    for (TrialResult& result : try_all({first, last}, trail.get())) {
      if (!is_improvement(from, result)) continue;
      from = std::move(result);
      is_better = true;
    }
  }
  return is_better;
}

// Until the share is reached, what counts is the share; then it is the energy.
bool CourseSearch::is_improvement(const TrialResult& from, const TrialResult& to) const {
  if (from.share < share_) return to.share > from.share;
  const double worth_it = to.course.size() > from.course.size()   ? kWorthAStretch
                          : to.course.size() < from.course.size() ? -kWorthAStretch / 2
                                                                  : kWorthIt;
  return to.share >= share_ && to.mean_energy.value < from.mean_energy.value * (1 - worth_it);
}

// Side by side; those known already are left out.
std::vector<TrialResult> CourseSearch::try_all(std::vector<Course> courses,
                                               const CourseTrial::Trail* near) {
  std::erase_if(courses, [&](const Course& course) {
    return !known_.insert(course).second || !keeps_to_its_data(trial_.problem(), course);
  });
  for (const Course& course : courses) trial_.prepare_run_until(course);
  std::vector<TrialResult> results(courses.size());
  for_each_index(courses.size(), 0, [&](unsigned, std::size_t i) {
    if (!stop_.stop_requested()) results[i] = trial_.run_until(courses[i], share_, near);
  });
  tried_ += static_cast<std::int64_t>(courses.size());
  for (const TrialResult& result : results) {
    if (result.share > likeliest_.share) likeliest_ = result;
  }
  return results;
}

}  // namespace espalier
