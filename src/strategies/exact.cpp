// SPDX-License-Identifier: Apache-2.0
// Problem.    Least energy subject to a deadline: a resource-constrained shortest path whose loss is not additive but
//             monotone (docs/tour.md).
// Idea.       1. Backward fronts for time and for energy alone. If the least time is too long, nothing is feasible;
//                if the least-energy plan is in time, it is optimal.
//             2. Otherwise price time: a front for energy + μ·time bounds every plan from below, and its plan is
//                cheap and nearly in time. A few secant steps find the μ with the best bound.
//             3. Labels forward, cut at a little above the bound. If nothing is found the bound rises to the cut
//                and the cut moves up, until a plan is found (optimal) or the cut meets the best known plan.
// Invariant.  lower ≤ optimum ≤ upper at any time: stopped early, the plan comes with a proved gap.
// Complexity. Fronts: points × degree. Labels: exponential in the worst case, few in practice.
// Reference.  Lagrangian bounds and bounded bidirectional labelling for constrained shortest paths, e.g. Handler and
//             Zang (1980), Lozano and Medaglia (2013).
#include "strategies/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "strategies/cost_front.h"
#include "strategies/described.h"
#include "strategies/label_search.h"

namespace espalier {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// Plans closer to the bound than this (relative) count as optimal: the rounding of sums is of this order.
constexpr double kProved = 1e-9;
constexpr int kMaxPrices = 14;
// The first cut lies this share of the open gap above the bound; it doubles until the gap is closed.
constexpr double kFirstCut = 1.0 / 32;

class ExactPlanner final : public Planner {
 public:
  ExactPlanner(const Problem& problem, Estimator estimator, const PlanShape& shape, const PlannerOptions& options)
      : problem_(problem),
        estimator_(estimator),
        max_labels_(options.max_labels),
        graph_(problem, estimator, shape),
        time_front_(graph_, 0, 1),
        energy_front_(graph_, 1, 0) {}

  PlanResult plan(const State& now, std::stop_token stop) override {
    begin(now, stop);
    if (problem_.goal().reached(now.loss, now.time)) {
      offer({});
      lower_ = upper_;
    } else if (is_reachable() && !is_proved()) {
      price_time();
      close_gap();
    }
    return result();
  }

 private:
  void begin(const State& now, std::stop_token stop) {
    now_ = now;
    stop_ = std::move(stop);
    lower_ = now.energy.value;
    upper_ = kInfinite;
    best_.reset();
    is_infeasible_ = false;
    stats_ = {};
  }

  bool is_proved() const { return lower_ >= upper_ * (1 - kProved); }

  // A plan to be judged: kept if it reaches the goal at less energy than any before.
  void offer(const std::vector<PlacementId>& path) {
    Plan plan = follow(problem_, estimator_, now_, path);
    const State end = plan.end();
    if (!problem_.goal().reached(end.loss, end.time) || end.energy.value >= upper_) return;
    upper_ = end.energy.value;
    best_ = std::move(plan);
  }

  // Bounds without the deadline's price; false if no plan can be in time.
  bool is_reachable() {
    const double left = problem_.goal().time_bound().value - now_.time.value;
    const double least_time = time_front_.extend_to(now_, stop_, max_labels_);
    count(time_front_);
    is_infeasible_ = least_time > left && !was_cut_short(time_front_);
    if (is_infeasible_) return false;
    offer(time_front_.cheapest_path(now_));
    const double least_energy = energy_front_.extend_to(now_, stop_, max_labels_);
    count(energy_front_);
    lower_ = std::max(lower_, now_.energy.value + (least_energy < kInfinite ? least_energy : 0));
    offer(energy_front_.cheapest_path(now_));
    return true;
  }

  bool was_cut_short(const CostFront& front) const {
    return stop_.stop_requested() || front.points() >= max_labels_;
  }

  // The best bound that a price on time gives, by secant steps between a plan that is late and one that is in time.
  void price_time() {
    for (const auto& front : priced_) use(*front);
    if (!best_ || (!priced_.empty() && lower_ >= upper_ * 0.98)) return;
    State late = follow(problem_, estimator_, now_, energy_front_.cheapest_path(now_)).end();
    State early = best_->end();
    for (int i = 0; i < kMaxPrices && !is_proved() && !stop_.stop_requested(); ++i) {
      const double price = (early.energy - late.energy).value / (late.time - early.time).value;
      if (!(price > 0) || !std::isfinite(price)) break;
      auto front = std::make_unique<CostFront>(graph_, 1, price);
      const double before = lower_;
      const State end = use(*front);
      const double value = end.energy.value + price * end.time.value;
      const bool is_new = value < late.energy.value + price * late.time.value - kProved * value;
      if (lower_ > before || priced_.empty()) keep(std::move(front));
      if (!is_new) break;
      (problem_.goal().reached(end.loss, end.time) ? early : late) = end;
    }
  }

  // Raises the lower bound by a front, offers its plan, and returns where that plan ends.
  State use(CostFront& front) {
    const double left = problem_.goal().time_bound().value - now_.time.value;
    const double rest = front.extend_to(now_, stop_, max_labels_) - front.time_weight() * left;
    count(front);
    if (std::isfinite(rest)) lower_ = std::max(lower_, now_.energy.value + rest);
    const std::vector<PlacementId> path = front.cheapest_path(now_);
    offer(path);
    return follow(problem_, estimator_, now_, path).end();
  }

  void keep(std::unique_ptr<CostFront> front) {
    priced_.insert(priced_.begin(), std::move(front));
    if (priced_.size() > 2) priced_.pop_back();
  }

  // Labels below a rising cut, until the best plan is proved.
  void close_gap() {
    if (!best_) return;
    const double first_gap = upper_ - lower_;
    for (double share = kFirstCut; !is_proved() && !stop_.stop_requested(); share *= 2) {
      const double cut = std::min(upper_, lower_ + share * first_gap);
      extend_fronts(cut);
      std::vector<const CostFront*> fronts;
      for (const auto& front : priced_) fronts.push_back(front.get());
      fronts.push_back(&energy_front_);
      LabelSearch search(graph_, {&time_front_, fronts});
      const LabelSearch::Outcome outcome = search.run(now_, cut, {max_labels_, stop_});
      stats_.labels += outcome.labels;
      stats_.bytes = std::max(stats_.bytes, front_bytes() + outcome.bytes);
      offer(outcome.path);
      if (!outcome.complete) return;
      lower_ = std::max(lower_, std::min(cut, upper_));
    }
  }

  // Far enough that every label below the cut meets an exact bound.
  void extend_fronts(double cut) {
    const double time_left = problem_.goal().time_bound().value - now_.time.value;
    const double energy_left = cut - now_.energy.value;
    time_front_.extend_to(time_left, stop_, max_labels_);
    energy_front_.extend_to(energy_left, stop_, max_labels_);
    for (const auto& front : priced_) {
      front->extend_to(energy_left + front->time_weight() * time_left, stop_, max_labels_);
    }
  }

  void count(const CostFront& front) {
    stats_.labels += front.points();
    stats_.bytes = std::max(stats_.bytes, front_bytes());
  }

  std::int64_t front_bytes() const {
    std::int64_t bytes = time_front_.bytes() + energy_front_.bytes();
    for (const auto& front : priced_) bytes += front->bytes();
    return bytes;
  }

  PlanResult result() {
    PlanResult result;
    result.estimator = estimator_;
    result.stats = stats_;
    result.lower_bound = Joules{is_infeasible_ ? kInfinite : std::min(lower_, upper_)};
    result.verdict = is_infeasible_ ? Verdict::Infeasible
                     : best_ && is_proved() ? Verdict::Optimal
                                            : Verdict::Limit;
    result.plan = std::move(best_);
    return result;
  }

  const Problem& problem_;
  const Estimator estimator_;
  const std::int64_t max_labels_;
  const SearchGraph graph_;
  // Depend on the goal, not on the state: kept from call to call.
  CostFront time_front_;
  CostFront energy_front_;
  std::vector<std::unique_ptr<CostFront>> priced_;
  // Of the current call.
  State now_;
  std::stop_token stop_;
  double lower_ = 0;
  double upper_ = 0;
  std::optional<Plan> best_;
  bool is_infeasible_ = false;
  SearchStats stats_;
};

}  // namespace

const Strategy& exact_strategy() {
  static const DescribedStrategy strategy(
      {.name = "exact",
       .summary = "the least-energy plan, proved",
       .description = "Searches all plans, without rounding, under one deterministic estimate. Proves its answer: a "
                      "lower bound meets the plan, or, stopped early, shows how far the plan may be from it.",
       .estimator = Estimator::Expected,
       .exact = true,
       .anytime = true},
      [](const Problem& problem, Estimator estimator, const PlannerOptions& options) {
        return make_exact_planner(problem, estimator, PlanShape::any(), options);
      });
  return strategy;
}

std::unique_ptr<Planner> make_exact_planner(const Problem& problem, Estimator estimator, const PlanShape& shape,
                                            const PlannerOptions& options) {
  return std::make_unique<ExactPlanner>(problem, estimator, shape, options);
}

}  // namespace espalier
