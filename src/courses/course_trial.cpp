// SPDX-License-Identifier: Apache-2.0
#include "courses/course_trial.h"

#include <algorithm>
#include <vector>

namespace espalier {
namespace {

// A last stretch may become this much longer than the whole course was.
constexpr int kMostGrowth = 2;
constexpr int kLeastReach = 50;

int reach_of(const Course& course) {
  return std::max(kMostGrowth * epochs_of(course), kLeastReach);
}

}  // namespace

// All members on their way along one course.
class CourseTrial::Walk {
 public:
  explicit Walk(const CourseTrial& trial)
      : trial_(&trial),
        bound_(trial.problem_.goal().loss_bound().value),
        deadline_(trial.problem_.goal().time_bound()),
        now_(trial.start_),
        losses_(trial.members(), trial.start_.loss.value),
        is_done_(trial.members(), 0) {
    count();
  }

  // False if the epoch is impossible or would end too late.
  bool step(PlacementId to) {
    const Problem& problem = trial_->problem_;
    const auto change = problem.change(now_.placement, to);
    if (!change || !problem.training(to).possible) return false;
    const State next = state_after(problem, now_, to, *change, now_.loss);
    if (next.time > deadline_ || next.epoch > trial_->ensemble_.prepared()) return false;
    trial_->ensemble_.advance(losses_, next.epoch, now_.placement, to);
    now_ = next;
    course_.push_back({to, 1});
    count();
    return true;
  }

  bool has_reached(double share) const { return this->share() >= share; }
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

  const CourseTrial* trial_;
  double bound_;
  Seconds deadline_;
  State now_;
  std::vector<double> losses_;
  std::vector<std::uint8_t> is_done_;
  std::size_t reached_ = 0;
  double energy_ = 0;  // of the members that reached the goal
  Course course_;
};

class CourseTrial::Trail {
 public:
  std::vector<PlacementId> placements;
  std::vector<Walk> walks;  // after 0, 1, … epochs
};

void CourseTrial::prepare_run(const Course& course) {
  ensemble_.prepare(start_.epoch + epochs_of(course));
}

void CourseTrial::prepare_run_until(const Course& course) {
  const Seconds left = problem_.goal().time_bound() - start_.time;
  Seconds used{};
  for (const Stretch& s : course) used += problem_.training(s.placement).time * s.epochs;
  const double each = problem_.training(course.back().placement).time.value;
  const double fit = each > 0 ? std::max(0.0, (left - used).value / each) : 0;
  const int more = static_cast<int>(std::min<double>(reach_of(course), fit)) + 1;
  ensemble_.prepare(start_.epoch + epochs_of(course) + more);
}

TrialResult CourseTrial::run(const Course& course) const {
  Walk walk(*this);
  for (const PlacementId to : placements_of(course)) {
    if (!walk.step(to)) break;
  }
  return walk.result();
}

std::shared_ptr<const CourseTrial::Trail> CourseTrial::trail(const Course& course) const {
  auto trail = std::make_shared<Trail>();
  trail->walks.emplace_back(*this);
  for (const PlacementId to : placements_of(course)) {
    Walk next = trail->walks.back();
    if (!next.step(to)) break;
    trail->placements.push_back(to);
    trail->walks.push_back(std::move(next));
  }
  return trail;
}

TrialResult CourseTrial::run_until(const Course& course, double share, const Trail* near) const {
  std::vector<PlacementId> placements = placements_of(course);
  const auto longest =
      placements.size() - static_cast<std::size_t>(course.back().epochs) + reach_of(course);
  placements.resize(longest, course.back().placement);
  std::size_t done = 0;
  if (near) {
    const auto parting = std::mismatch(placements.begin(), placements.end(),
                                       near->placements.begin(), near->placements.end());
    done = static_cast<std::size_t>(parting.first - placements.begin());
  }
  Walk walk = near ? near->walks[done] : Walk(*this);
  for (; done < placements.size() && !walk.has_reached(share); ++done) {
    if (!walk.step(placements[done])) break;
  }
  return walk.result();
}

}  // namespace espalier
