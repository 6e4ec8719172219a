// SPDX-License-Identifier: Apache-2.0
// Depth-first over all sequences of placements, cut only where the deadline has passed or the best
// plan is already cheaper. Shares nothing with the other strategies but the semantics of one epoch
// in core/plan.h. Exponential.
#include "strategies/brute_force.h"

#include <limits>

#include "strategies/described.h"

namespace espalier {
namespace {

// A step of the enumeration is that much cheaper than a label, in time, and holds no memory.
constexpr std::int64_t kStepsPerLabel = 50;
// Deeper than this the enumeration is hopeless anyway.
constexpr std::size_t kMaxDepth = 1000;

class BruteForcePlanner final : public Planner {
 public:
  BruteForcePlanner(const Problem& problem, Estimator estimator, std::int64_t max_steps)
      : problem_(problem), estimator_(estimator), max_steps_(max_steps) {}

  PlanResult plan(const State& now, std::stop_token stop) override {
    stop_ = std::move(stop);
    steps_ = 0;
    least_ = std::numeric_limits<double>::infinity();
    path_.clear();
    best_.reset();
    visit(now);
    PlanResult result;
    result.estimator = estimator_;
    result.stats.labels = steps_;
    const bool was_cut = steps_ >= max_steps_;
    if (best_) result.plan = follow(problem_, estimator_, now, *best_);
    result.verdict = was_cut ? Verdict::Limit : best_ ? Verdict::Optimal : Verdict::Infeasible;
    result.lower_bound = was_cut ? now.energy : Joules{least_};
    return result;
  }

 private:
  void visit(const State& state) {
    if (state.time > problem_.goal().time_bound() || state.energy.value >= least_) return;
    if (problem_.goal().reached(state.loss, state.time)) {
      least_ = state.energy.value;
      best_ = path_;
      return;
    }
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      if (path_.size() >= kMaxDepth || ((++steps_ & 4095) == 0 && stop_.stop_requested()))
        steps_ = max_steps_;
      if (steps_ >= max_steps_) return;
      const PlacementId to{static_cast<std::int32_t>(i)};
      const auto next = advance(problem_, estimator_, state, to);
      if (!next) continue;
      path_.push_back(to);
      visit(*next);
      path_.pop_back();
    }
  }

  const Problem& problem_;
  const Estimator estimator_;
  const std::int64_t max_steps_;
  std::stop_token stop_;
  std::int64_t steps_ = 0;
  double least_ = 0;
  std::vector<PlacementId> path_;
  std::optional<std::vector<PlacementId>> best_;
};

}  // namespace

const Strategy& brute_force_strategy() {
  static const DescribedStrategy strategy(
      {.name = "brute-force",
       .summary = "every plan there is; for tiny cases only",
       .description = "Tries all sequences of placements. Exponential in the number of epochs: "
                      "useful to check the "
                      "other strategies on cases of about ten epochs.",
       .estimator = Estimator::Expected,
       .exact = true,
       .anytime = true,
       .tiny_only = true},
      [](const Problem& problem, Estimator estimator,
         const PlannerOptions& options) -> std::unique_ptr<Planner> {
        return std::make_unique<BruteForcePlanner>(problem, estimator,
                                                   options.max_labels * kStepsPerLabel);
      });
  return strategy;
}

}  // namespace espalier
