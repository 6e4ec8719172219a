// SPDX-License-Identifier: Apache-2.0
// Problem:    the cheapest, or quickest, course that reaches the goal, where the loss depends on
// all that was
//             done.
// Idea:       depth first, over how long to stay at each place and where to go next. A course ends
//             at the goal, at the deadline, when it costs as much as the best one, and when staying
//             teaches nothing any more.
// Complexity: O(product of the stages' lengths · places); the paper's grid has about 10⁷ courses.
#include "replay/traced_optimum.h"

#include <algorithm>
#include <set>

#include "core/error.h"

namespace espalier {
namespace {

class CourseSearch {
 public:
  CourseSearch(const TracedWorld& world, const Problem& problem, const CourseWish& wish,
               std::stop_token stop)
      : world_(world),
        problem_(problem),
        wish_(wish),
        stop_(std::move(stop)),
        moves_(problem.size()) {
    for (std::size_t from = 0; from < problem.size(); ++from) {
      for (std::size_t to = 0; to < problem.size(); ++to) {
        const PlacementId there{static_cast<std::int32_t>(to)};
        const auto change = problem.change({static_cast<std::int32_t>(from)}, there);
        if (from != to && change && problem.training(there).possible)
          moves_[from].push_back({there, *change});
      }
    }
  }

  PlanResult find(const Replay& begin) {
    stay(begin, problem_.start(), 0);
    PlanResult result;
    result.plan = best_;
    result.verdict = best_ ? Verdict::Optimal : Verdict::Infeasible;
    if (stop_.stop_requested()) result.verdict = Verdict::Limit;
    if (best_ && result.verdict == Verdict::Optimal && wish_.least == CourseWish::Least::Energy)
      result.lower_bound = best_->end().energy;
    result.stats.labels = tried_;
    return result;
  }

 private:
  struct Move {
    PlacementId to{};
    Change change{};
  };

  // From a course that just arrived at `now`, on to everywhere.
  void stay(Replay replay, State now, int switches) {
    const std::size_t before = steps_.size();
    const bool can_train = problem_.training(now.placement).possible;
    for (;;) {
      if (ends(now) || stop_.stop_requested()) break;
      for (const Move& move : moves_[now.placement.pos()]) leave(replay, now, move, switches);
      if (!can_train || replay.is_at_end()) break;
      now = train(replay, now, now.placement, {});
    }
    steps_.resize(before);
  }

  void leave(Replay replay, const State& now, const Move& move, int switches) {
    switches += is_switch(now.placement, move.to) ? 1 : 0;
    if (wish_.most_switches && switches > *wish_.most_switches) return;
    ESPALIER_CHECK(world_.change(replay, problem_.training(move.to).at));
    const State next = train(replay, now, move.to, move.change);
    stay(std::move(replay), next, switches);
    steps_.pop_back();
  }

  bool is_switch(PlacementId from, PlacementId to) const {
    const Placement& a = problem_.training(from).at;
    const Placement& b = problem_.training(to).at;
    return problem_.training(from).possible && (a.model != b.model || a.nodes != b.nodes);
  }

  State train(Replay& replay, const State& now, PlacementId at, const Change& change) {
    replay.train();
    const State next = state_after(problem_, now, at, change, Loss{replay.loss()});
    steps_.push_back({next.placement, next.loss, next.time, next.energy, next.paid});
    return next;
  }

  // Whether there is nothing to gain behind `now`.
  bool ends(const State& now) {
    ++tried_;
    if (now.time > problem_.goal().time_bound()) return true;
    if (best_ && spent(now) >= spent(best_->end())) return true;
    if (!problem_.goal().reached(now.loss, now.time)) return false;
    best_ = Plan{problem_.start(), steps_};
    return true;
  }

  double spent(const State& now) const {
    return wish_.least == CourseWish::Least::Energy ? now.energy.value : now.time.value;
  }

  const TracedWorld& world_;
  const Problem& problem_;
  const CourseWish wish_;
  const std::stop_token stop_;
  std::vector<std::vector<Move>> moves_;
  std::vector<Step> steps_;
  std::optional<Plan> best_;
  std::int64_t tried_ = 0;
};

bool has_levels(const Problem& problem) {
  std::set<Placement> plain;
  for (const Training& t : problem.placements()) plain.insert({t.at.model, t.at.nodes, {}, {}});
  return plain.size() < problem.size();
}

}  // namespace

PlanResult traced_optimum(const TracedWorld& world, const Problem& problem, std::size_t run,
                          std::stop_token stop, const CourseWish& wish) {
  if (has_levels(problem)) {
    PlanResult unknown;
    unknown.verdict = Verdict::Limit;
    return unknown;
  }
  return CourseSearch(world, problem, wish, std::move(stop)).find(world.begin(run));
}

}  // namespace espalier
