// SPDX-License-Identifier: Apache-2.0
#include "strategies/course_trial.h"

#include <algorithm>
#include <vector>

namespace espalier {
namespace {

// A last stretch may become this much longer than the whole course was.
constexpr int kMostGrowth = 2;
constexpr int kLeastReach = 50;

}  // namespace

// All members on their way along one course.
class CourseTrial::Walk {
 public:
  explicit Walk(const CourseTrial& trial)
      : trial_(trial),
        bound_(trial.problem_.goal().loss_bound().value),
        deadline_(trial.problem_.goal().time_bound()),
        now_(trial.start_),
        losses_(trial.members(), trial.start_.loss.value),
        is_done_(trial.members(), 0) {
    count();
  }

  // False if the epoch is impossible or would end too late.
  bool step(PlacementId to) {
    const Problem& problem = trial_.problem_;
    const auto change = problem.change(now_.placement, to);
    if (!change || !problem.training(to).possible) return false;
    const State next = state_after(problem, now_, to, *change, now_.loss);
    if (next.time > deadline_ || next.epoch > trial_.ensemble_.prepared()) return false;
    trial_.ensemble_.advance(losses_, next.epoch, now_.placement, to);
    now_ = next;
    course_.push_back({to, 1});
    count();
    return true;
  }

  double share() const { return static_cast<double>(reached_) / static_cast<double>(size()); }

  TrialResult result() const {
    const double missed = static_cast<double>(size() - reached_) * now_.energy.value;
    return {share(), reached_, Joules{(energy_ + missed) / static_cast<double>(size())}, now_.time,
            tidied(course_)};
  }

 private:
  std::size_t size() const { return losses_.size(); }

  void count() {
    std::size_t fresh = 0;
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      const bool is_fresh = losses_[i] <= bound_ && !is_done_[i];
      is_done_[i] |= static_cast<std::uint8_t>(is_fresh);
      fresh += is_fresh;
    }
    reached_ += fresh;
    energy_ += static_cast<double>(fresh) * now_.energy.value;
  }

  const CourseTrial& trial_;
  const double bound_;
  const Seconds deadline_;
  State now_;
  std::vector<double> losses_;
  std::vector<std::uint8_t> is_done_;
  std::size_t reached_ = 0;
  double energy_ = 0;  // of the members that reached the goal
  Course course_;
};

int CourseTrial::reach_of(const Course& course) const {
  return std::max(kMostGrowth * epochs_of(course), kLeastReach);
}

void CourseTrial::prepare(const Course& course) {
  State now = start_;
  int epochs = 0;
  for (const PlacementId to : placements_of(course)) {
    const auto change = problem_.change(now.placement, to);
    if (!change) break;
    now = state_after(problem_, now, to, *change, now.loss);
    ++epochs;
  }
  const double left = (problem_.goal().time_bound() - now.time).value;
  const double each = problem_.training(now.placement).time.value;
  const double fit = each > 0 ? std::max(0.0, left / each) : 0;
  const int more = static_cast<int>(std::min<double>(reach_of(course), fit)) + 1;
  ensemble_.prepare(start_.epoch + epochs + more);
}

TrialResult CourseTrial::run(const Course& course) const {
  Walk walk(*this);
  for (const PlacementId to : placements_of(course)) {
    if (!walk.step(to)) break;
  }
  return walk.result();
}

TrialResult CourseTrial::run_until(const Course& course, double share) const {
  Walk walk(*this);
  for (std::size_t i = 0; i < course.size(); ++i) {
    const bool is_last = i + 1 == course.size();
    const int most = is_last ? reach_of(course) : course[i].epochs;
    for (int k = 0; k < most && !(walk.share() >= share); ++k) {
      if (!walk.step(course[i].placement)) return walk.result();
    }
  }
  return walk.result();
}

}  // namespace espalier
