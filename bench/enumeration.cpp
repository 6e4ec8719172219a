// SPDX-License-Identifier: Apache-2.0
#include "enumeration.h"

#include "core/plan.h"

namespace espalier::bench {
namespace {

class Enumeration {
 public:
  Enumeration(const Problem& problem, Estimator estimator)
      : problem_(problem), estimator_(estimator) {
    best_.energy = Joules::infinite();
  }

  Solution run() {
    visit(problem_.start());
    return best_;
  }

 private:
  void visit(const State& state) {
    ++best_.size;
    if (state.time > problem_.goal().time_bound() || state.energy >= best_.energy) return;
    if (problem_.goal().reached(state.loss, state.time)) return keep(state);
    for (std::size_t p = 0; p < problem_.size(); ++p) {
      const auto next = advance(problem_, estimator_, state, {static_cast<std::int32_t>(p)});
      if (!next) continue;
      path_.push_back(next->placement);
      visit(*next);
      path_.pop_back();
    }
  }

  void keep(const State& state) {
    best_.energy = state.energy;
    best_.placements = path_;
    best_.outcome = Outcome::Optimal;
  }

  const Problem& problem_;
  const Estimator estimator_;
  std::vector<PlacementId> path_;
  Solution best_;
};

}  // namespace

Solution enumerate_plans(const Problem& problem, Estimator estimator) {
  return Enumeration(problem, estimator).run();
}

}  // namespace espalier::bench
