// SPDX-License-Identifier: Apache-2.0
// Problem.    Least energy subject to a deadline: a resource-constrained shortest path whose loss
// is not additive but
//             monotone (docs/tour.md).
// Idea.       1. On the few placements that are efficient anywhere, or that plans have used so far,
// everything is quick:
//                find the price μ of time whose Lagrangian bound is best (0 if the deadline does
//                not bind), and a good plan by label search.
//             2. One backward front for energy + μ·time over all placements makes the bound valid
//             for all plans. If
//                its plan uses further placements, they join the few, and it starts over.
//             3. Labels forward over all placements, cut a little above the bound. If nothing is
//             found the bound
//                rises to the cut and the cut moves up, until it meets the best plan.
// Invariant.  lower ≤ optimum ≤ upper at any time: stopped early, the plan comes with a proved gap.
// Complexity. Fronts: points × degree. Labels: exponential in the worst case, few in practice.
// Reference.  Lagrangian bounds and bounded labelling for constrained shortest paths, e.g. Handler
// and Zang (1980),
//             Lozano and Medaglia (2013).
#include "strategies/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "strategies/bounded_search.h"
#include "strategies/described.h"

namespace espalier {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kMaxPrices = 20;
constexpr int kMaxRounds = 8;
// A bound from an earlier call this close to the best one among the few is not worth a new front
// over all placements.
constexpr double kGoodBound = 0.003;
// Labels spent on a good plan among the few placements.
constexpr std::int64_t kLabelsAmongFew = 50'000;

// The placement that lowers the loss most cheaply in the next epoch, when a second costs `price`
// joules.
std::optional<PlacementId> most_efficient(const Problem& problem, Estimator estimator,
                                          const State& now, double price) {
  std::optional<PlacementId> best;
  double least = kInfinite;
  for (std::size_t p = 0; p < problem.size(); ++p) {
    const Training& t = problem.placements()[p];
    const double fall = now.loss.value - t.rule[estimator].next(now.epoch + 1, now.loss.value);
    if (!t.possible || !(fall > 0)) continue;
    const double cost = (t.energy.value + price * t.time.value) / fall;
    if (!(cost < least)) continue;
    least = cost;
    best = PlacementId{static_cast<std::int32_t>(p)};
  }
  return best;
}

// Those at several losses on the way to the goal and for several prices, around the average one.
std::set<PlacementId> efficient_placements(const Problem& problem, Estimator estimator, State now) {
  constexpr int kLosses = 12;
  constexpr double kPrices[] = {0, 0.25, 1, 4, 1e6};
  Joules energy;
  Seconds time;
  for (const Training& t : problem.placements()) {
    energy += t.energy;
    time += t.time;
  }
  const double step = std::pow(problem.goal().loss / now.loss, 1.0 / kLosses);
  std::set<PlacementId> efficient;
  for (int i = 0; i < kLosses; ++i) {
    for (const double price : kPrices) {
      const auto best = most_efficient(problem, estimator, now, price * energy.value / time.value);
      if (best) efficient.insert(*best);
    }
    now.loss = now.loss * step;
  }
  return efficient;
}

class ExactPlanner final : public Planner {
 public:
  ExactPlanner(const Problem& problem, Estimator estimator, const PlanShape& shape,
               const PlannerOptions& options)
      : problem_(problem),
        estimator_(estimator),
        shape_(shape),
        max_labels_(options.max_labels),
        all_(SearchGraph(problem, estimator, shape)) {}

  PlanResult plan(const State& now, std::stop_token stop) override {
    now_ = now;
    limits_ = {max_labels_, std::move(stop)};
    bracket_ = {now.energy.value, kInfinite, std::nullopt};
    labels_ = 0;
    is_infeasible_ = false;
    if (problem_.goal().reached(now.loss, now.time)) {
      offer({});
      bracket_.lower = bracket_.upper;
    } else {
      if (used_.empty()) used_ = efficient_placements(problem_, estimator_, now);
      used_.insert(now.placement);
      narrow();
      if (bracket_.best) all_.close(bracket_, now_, limits_);
    }
    return result();
  }

 private:
  // A plan to be judged: kept if it reaches the goal at less energy than any before. Returns where
  // it ends.
  State offer(const std::vector<PlacementId>& path) {
    used_.insert(path.begin(), path.end());
    Plan plan = follow(problem_, estimator_, now_, path);
    const State end = plan.end();
    if (problem_.goal().reached(end.loss, end.time) && end.energy.value < bracket_.upper) {
      bracket_.upper = end.energy.value;
      bracket_.best = std::move(plan);
    }
    return end;
  }

  void take(const BoundedSearch::Priced& priced) {
    bracket_.lower = std::max(bracket_.lower, priced.bound);
    offer(priced.path);
  }

  // A good plan and a good bound: few placements propose, all placements verify.
  void narrow() {
    for (const auto& priced : all_.known_prices(now_, limits_)) take(priced);
    for (int round = 0; round < kMaxRounds && !limits_.stop.stop_requested(); ++round) {
      const std::size_t known = used_.size();
      if (!find_any_plan()) return;
      const BoundedSearch::Priced best = search_among_few();
      const bool is_good = best.price > 0 && bracket_.lower >= best.bound * (1 - kGoodBound);
      if (bracket_.is_closed() || is_good) return;
      verify(best.price);
      if (bracket_.is_closed() || used_.size() == known) return;
    }
  }

  // Makes sure that the few placements hold a plan that is in time; false if there is none at all.
  bool find_any_plan() {
    const double time_left = (problem_.goal().time_bound() - now_.time).value;
    if (few().least_time(now_, limits_) > time_left) {
      const double least = all_.least_time(now_, limits_);
      const bool was_cut_short = limits_.stop.stop_requested() || all_.points() >= max_labels_;
      is_infeasible_ = least > time_left && !was_cut_short;
      if (least > time_left) return false;
      offer(all_.quickest_path(now_));
    }
    few().least_time(now_, limits_);
    offer(few().quickest_path(now_));
    return bracket_.best.has_value();
  }

  // The graph of the placements used so far.
  BoundedSearch& few() {
    if (!few_ || few_size_ != used_.size()) {
      few_.emplace(SearchGraph(problem_, estimator_, shape_, {used_.begin(), used_.end()}));
      few_size_ = used_.size();
    }
    return *few_;
  }

  // Raises the lower bound by a front over all placements.
  void verify(double price) {
    if (price > 0) {
      take(all_.price_time(price, now_, limits_));
      return;
    }
    const double least = all_.least_energy(now_, limits_);
    if (std::isfinite(least)) bracket_.lower = std::max(bracket_.lower, now_.energy.value + least);
    offer(all_.thriftiest_path(now_));
  }

  // Looks for a good plan among the few placements. Returns the best price of time, 0 if the
  // deadline does not bind.
  BoundedSearch::Priced search_among_few() {
    BoundedSearch& search = few();
    search.least_energy(now_, limits_);
    const State late = offer(search.thriftiest_path(now_));
    if (problem_.goal().reached(late.loss, late.time)) return {};
    const BoundedSearch::Priced best = best_price(search, late);
    Bracket bracket{std::max(best.bound, now_.energy.value), bracket_.upper, std::nullopt};
    search.close(bracket, now_, {std::min(kLabelsAmongFew, max_labels_), limits_.stop});
    if (bracket.best) offer(placements_of(*bracket.best));
    labels_ += search.take_stats().labels;
    return best;
  }

  // Secant steps between a plan that is late and one that is in time.
  BoundedSearch::Priced best_price(BoundedSearch& search, State late) {
    State early = bracket_.best->end();
    BoundedSearch::Priced best;
    for (int i = 0; i < kMaxPrices && !limits_.stop.stop_requested(); ++i) {
      const double price = (early.energy - late.energy).value / (late.time - early.time).value;
      if (!(price > 0) || !std::isfinite(price)) break;
      const BoundedSearch::Priced priced = search.price_time(price, now_, limits_);
      if (priced.path.empty()) break;
      if (best.price == 0 || priced.bound > best.bound) best = priced;
      const State end = offer(priced.path);
      const double value = end.energy.value + price * end.time.value;
      if (value >= late.energy.value + price * late.time.value - 1e-9 * value) break;
      (problem_.goal().reached(end.loss, end.time) ? early : late) = end;
    }
    return best;
  }

  static std::vector<PlacementId> placements_of(const Plan& plan) {
    std::vector<PlacementId> path;
    for (const Step& step : plan.steps) path.push_back(step.placement);
    return path;
  }

  PlanResult result() {
    const SearchStats stats = all_.take_stats();
    PlanResult result;
    result.estimator = estimator_;
    result.stats = {labels_ + stats.labels, stats.bytes};
    result.lower_bound =
        Joules{is_infeasible_ ? kInfinite : std::min(bracket_.lower, bracket_.upper)};
    result.verdict = is_infeasible_                          ? Verdict::Infeasible
                     : bracket_.best && bracket_.is_closed() ? Verdict::Optimal
                                                             : Verdict::Limit;
    result.plan = std::move(bracket_.best);
    return result;
  }

  const Problem& problem_;
  const Estimator estimator_;
  const PlanShape shape_;
  const std::int64_t max_labels_;
  // Kept from call to call.
  BoundedSearch all_;
  std::optional<BoundedSearch> few_;
  std::size_t few_size_ = 0;
  std::set<PlacementId> used_;  // by any plan so far, or efficient
  // Of the current call.
  State now_;
  BoundedSearch::Limits limits_;
  Bracket bracket_;
  bool is_infeasible_ = false;
  std::int64_t labels_ = 0;
};

}  // namespace

const Strategy& exact_strategy() {
  static const DescribedStrategy strategy(
      {.name = "exact",
       .summary = "the least-energy plan, proved",
       .description =
           "Searches all plans, without rounding, under one deterministic estimate. Proves its "
           "answer: a "
           "lower bound meets the plan, or, stopped early, shows how far the plan may be from it.",
       .estimator = Estimator::Expected,
       .exact = true,
       .anytime = true},
      [](const Problem& problem, Estimator estimator, const PlannerOptions& options) {
        return make_exact_planner(problem, estimator, PlanShape::any(), options);
      });
  return strategy;
}

std::unique_ptr<Planner> make_exact_planner(const Problem& problem, Estimator estimator,
                                            const PlanShape& shape, const PlannerOptions& options) {
  return std::make_unique<ExactPlanner>(problem, estimator, shape, options);
}

}  // namespace espalier
