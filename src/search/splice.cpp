// SPDX-License-Identifier: Apache-2.0
#include "search/splice.h"

#include <utility>
#include <vector>

namespace espalier {
namespace {

// Epochs come whole: changes a little before or after the best one may fit better.
constexpr int kNeighbours = 6;

class Splicer {
 public:
  Splicer(const SearchGraph& graph, const State& now) : graph_(graph), now_(now) {}

  // Plans that begin with `first` and end as `then` advises.
  void try_all(const Plan& first, const CostBound& then) {
    const int count = static_cast<int>(first.steps.size());
    const bool is_late = !is_in_time(first);
    // Of a late plan as much as possible, of an early one as little.
    int in_time = is_late ? 0 : count;
    int late = is_late ? count : 0;
    while (std::abs(in_time - late) > 1) {
      const int middle = (in_time + late) / 2;
      (offer(first, middle, then) ? in_time : late) = middle;
    }
    for (int i = in_time - kNeighbours; i <= in_time + kNeighbours; ++i) {
      if (i >= 0 && i <= count) offer(first, i, then);
    }
  }

  Plan follow_from(const State& state, const CostBound& bound) const {
    return follow(graph_.problem(), graph_.estimator(), state, bound.cheapest_path(state));
  }

  bool is_in_time(const Plan& plan) const {
    return graph_.problem().goal().reached(plan.end().loss, plan.end().time);
  }

  std::optional<Plan> take_best() { return std::move(best_); }

 private:
  // Whether the plan is in time; kept if it is the best so far.
  bool offer(const Plan& first, int epochs, const CostBound& then) {
    const auto begin = static_cast<std::size_t>(epochs);
    Plan plan = follow_from(first.after(begin), then);
    if (!is_in_time(plan)) return false;
    if (best_ && plan.end().energy >= best_->end().energy) return true;
    plan.start = now_;
    plan.steps.insert(plan.steps.begin(), first.steps.begin(),
                      first.steps.begin() + static_cast<std::ptrdiff_t>(begin));
    best_ = std::move(plan);
    return true;
  }

  const SearchGraph& graph_;
  const State now_;
  std::optional<Plan> best_;
};

}  // namespace

std::optional<Plan> splice(const SearchGraph& graph, std::span<const CostBound* const> bounds,
                           const State& now, const std::stop_token& stop) {
  Splicer splicer(graph, now);
  std::vector<Plan> plans;
  for (const CostBound* bound : bounds) plans.push_back(splicer.follow_from(now, *bound));
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    for (std::size_t j = 0; j < bounds.size() && !stop.stop_requested(); ++j) {
      if (splicer.is_in_time(plans[i]) != splicer.is_in_time(plans[j]))
        splicer.try_all(plans[i], *bounds[j]);
    }
  }
  return splicer.take_best();
}

}  // namespace espalier
