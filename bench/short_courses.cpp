// SPDX-License-Identifier: Apache-2.0
#include "short_courses.h"

#include "core/parallel.h"

namespace espalier::bench {
namespace {

constexpr int kMostEpochs = 400;

// All courses that begin with one placement.
class Enumeration {
 public:
  Enumeration(const CourseTrial& trial, double share) : trial_(trial), share_(share) {}

  std::optional<TrialResult> best_after(PlacementId first) {
    try_last({}, first);
    for (int epochs = 1; epochs < kMostEpochs; ++epochs) {
      const Course head{{first, epochs}};
      if (is_hopeless(head)) break;
      for (const PlacementId second : placements()) {
        if (second != first) try_second(head, second);
      }
    }
    return std::move(best_);
  }

 private:
  void try_second(const Course& head, PlacementId second) {
    try_last(head, second);
    for (int epochs = 1; epochs < kMostEpochs; ++epochs) {
      Course longer = head;
      longer.push_back({second, epochs});
      if (is_hopeless(longer)) break;
      for (const PlacementId last : placements()) {
        if (last != second) try_last(longer, last);
      }
    }
  }

  void try_last(Course course, PlacementId last) {
    course.push_back({last, 1});
    if (!keeps_to_its_data(trial_.problem(), course)) return;
    if (trail_head_ != Course(course.begin(), course.end() - 1)) {
      trail_head_.assign(course.begin(), course.end() - 1);
      trail_ = trial_.trail(trail_head_);
    }
    TrialResult result = trial_.run_until(course, share_, trail_.get());
    if (result.share < share_) return;
    if (!best_ || result.mean_energy < best_->mean_energy) best_ = std::move(result);
  }

  // Impossible, late, at the goal already, or dearer than the best.
  bool is_hopeless(const Course& course) const {
    const TrialResult result = trial_.run(course);
    return result.course != course || result.share >= share_ ||
           (best_ && result.mean_energy > best_->mean_energy);
  }

  std::vector<PlacementId> placements() const {
    std::vector<PlacementId> all;
    for (std::size_t p = 0; p < trial_.problem().size(); ++p)
      all.push_back({static_cast<std::int32_t>(p)});
    return all;
  }

  const CourseTrial& trial_;
  const double share_;
  std::optional<TrialResult> best_;
  Course trail_head_{{{-1}, 0}};
  std::shared_ptr<const CourseTrial::Trail> trail_;
};

}  // namespace

std::optional<TrialResult> cheapest_short_course(CourseTrial& trial, double share) {
  const std::size_t placements = trial.problem().size();
  std::vector<std::optional<TrialResult>> results(placements);
  trial.prepare_run({{{0}, kMostEpochs}});
  for_each_index(placements, 0, [&](unsigned, std::size_t p) {
    results[p] = Enumeration(trial, share).best_after({static_cast<std::int32_t>(p)});
  });
  std::optional<TrialResult> best;
  for (auto& result : results) {
    if (result && (!best || result->mean_energy < best->mean_energy)) best = std::move(result);
  }
  return best;
}

}  // namespace espalier::bench
