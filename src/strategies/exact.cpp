// SPDX-License-Identifier: Apache-2.0
// Problem.    Least energy subject to a deadline: a resource-constrained shortest path whose
//             loss is not additive but monotone (docs/tour.md).
// Idea.       1. A price of time turns the deadline into a cost. The best price gives a lower bound
//                for all plans, and bounds from every node and loss. Three ways to them, by the
//                problem: two prices where losses add up, a grid where plans are long, fronts
//                otherwise.
//             2. The plans that the prices favour, and parts of them put together, give an upper
//                bound.
//             3. Labels forward over all placements, cut a little above the lower bound. If nothing
//                is found the bound rises to the cut and the cut moves up, until it meets the best
//                plan.
// Invariant.  lower ≤ optimum ≤ upper at any time: stopped early, the plan comes with a proved gap.
// Complexity. That of the bounds. Labels: exponential in the worst case, few in practice.
// Reference.  Lagrangian bounds and bounded labelling for constrained shortest paths, e.g. Handler
//             and Zang (1980), Lozano and Medaglia (2013).
#include "strategies/exact.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "core/infinite.h"
#include "search/bounded_search.h"
#include "search/efficient_placements.h"
#include "search/grid_pricing.h"
#include "search/linear_pricing.h"
#include "search/splice.h"
#include "search/stage_search.h"
#include "strategies/described.h"

namespace espalier {
namespace {

constexpr int kMaxPrices = 20;
constexpr int kMaxRounds = 8;
// A bound from an earlier call this close to the best one among the few is not worth a new front
// over all placements.
constexpr double kGoodBound = 0.003;
// Epochs that may make up for one that went worse than planned.
constexpr std::size_t kFurtherEpochs = 3;
// Labels spent with the bounds of additive problems alone.
constexpr std::int64_t kLabelsByPrices = 300'000;
// Labels spent on a grid before plans are told apart by the model they end with.
constexpr std::int64_t kLabelsBeforeSplit = 150'000;
// Labels spent with prices of an earlier state, for each placement, if they fit: about what it
// costs to find others. If they don't, as many as are found in no time.
constexpr std::int64_t kLabelsByKnownPrices = 1500;
constexpr std::int64_t kLabelsByOldPrices = 20'000;
// Above where the best plan is expected, and how much further to look with known prices, relative
// to the bound.
constexpr double kGuess = 1 + 5e-5;
constexpr double kFurther = 0.003;
// Of a plan: after these it may end otherwise.
constexpr double kSharesKept[] = {0, 0.8, 0.95};
// A good plan: labels count unless they are better by this share of the goal's loss and deadline.
constexpr double kRoughly = 1e-3;
constexpr std::int64_t kRoughLabels = 20'000;
constexpr double kOtherPrices[] = {0.5, 0.8, 0.9, 1.1, 1.25, 2};
// Labels spent on a good plan among the few placements.
constexpr std::int64_t kLabelsAmongFew = 50'000;

class ExactPlanner final : public Planner {
 public:
  ExactPlanner(const Problem& problem, Estimator estimator, const PlanShape& shape,
               const PlannerOptions& options)
      : problem_(problem),
        estimator_(estimator),
        shape_(shape),
        max_labels_(options.max_labels),
        all_(SearchGraph(problem, estimator, shape)),
        stages_(all_.graph()),
        additive_(AdditiveGraph::of(all_.graph())),
        grid_(GridPricing::of(all_.graph())) {}

  PlanResult plan(const State& now, std::stop_token stop) override {
    now_ = now;
    limits_ = {max_labels_, std::move(stop)};
    bracket_ = {now.energy.value, kInfinite, std::nullopt};
    stats_ = {};
    is_infeasible_ = false;
    if (problem_.goal().reached(now.loss, now.time)) {
      offer({});
      bracket_.lower = bracket_.upper;
    } else {
      if (used_.empty()) used_ = efficient_placements(problem_, estimator_, now);
      used_.insert(now.placement);
      remember();
      if (!bracket_.is_closed()) search();
    }
    last_ = {bracket_.best, bracket_.best && bracket_.is_closed()};
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

  // What the last answer says about a state on its way: the rest of the plan is one to beat, and if
  // it was the best, nothing that stands no better than planned can end with less.
  void remember() {
    std::vector<PlacementId> rest = rest_of_last();
    if (rest.empty()) return;
    const State planned = last_.plan->after(last_.plan->steps.size() - rest.size());
    const bool is_no_better = now_.loss >= planned.loss && now_.time >= planned.time;
    if (last_.is_best && is_no_better)
      bracket_.lower = (last_.plan->end().energy - planned.energy + now_.energy).value;
    rest.insert(rest.end(), kFurtherEpochs, rest.back());
    offer(rest);
  }

  // What the last plan would do from here; nothing if it has never been here.
  std::vector<PlacementId> rest_of_last() const {
    if (!last_.plan || now_.epoch < last_.plan->start.epoch) return {};
    const auto done = static_cast<std::size_t>(now_.epoch - last_.plan->start.epoch);
    if (done >= last_.plan->steps.size() || last_.plan->after(done).placement != now_.placement)
      return {};
    std::vector<PlacementId> rest = placements_of(*last_.plan);
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(done));
    return rest;
  }

  void search() {
    if (additive_ && search_by_prices()) return;
    if (grid_ && grid_->suits(now_)) {
      search_on_grid();
      if (bracket_.best && bracket_.is_closed())
        closeness_ = bracket_.upper / grid_->least_energy(now_);
      return;
    }
    narrow();
    if (bracket_.best) all_.close(bracket_, now_, limits_);
  }

  // Where losses add up, prices on time and loss bound so cheaply that nothing else is needed as a
  // rule. False if the answer is still open.
  bool search_by_prices() {
    const LinearPricing pricing = price_time_and_loss(*additive_, now_);
    if (is_too_late(pricing.least_time)) return true;
    for (const auto& path : pricing.paths) offer(path);
    raise_lower(pricing.least_energy);
    std::vector<const CostBound*> bounds;
    for (const LinearBound& bound : pricing.bounds) bounds.push_back(&bound);
    const BestOfBounds bound(problem_.goal().time_bound().value, std::move(bounds));
    const LabelSearch::Limits limits{std::min(kLabelsByPrices, max_labels_), limits_.stop};
    return finish(close(bracket_, all_.graph(), now_, [&](double cut) {
      return noted(LabelSearch(all_.graph(), bound).run(now_, cut, limits));
    }));
  }

  // Where plans are long, a grid bounds almost as well as fronts, and much faster.
  void search_on_grid() {
    const bool is_known = grid_->recall(now_);
    if (is_known && search_by_known_prices()) return;
    if (!(is_known && grid_->fits(now_)) && !find_prices()) return;
    const bool is_easy = find_good_plan();
    if (!grid_->is_split() && is_easy && find_best_plan(kLabelsBeforeSplit)) return;
    if (!is_easy) offer_mixtures(all_.graph(), grid_->policies());
    // The better the plan to beat, the fewer kinds are left to tell apart.
    grid_->split(now_, bracket_.upper, limits_.stop);
    raise_lower(grid_->least_energy(now_));
    find_good_plan();
    find_best_plan(max_labels_);
  }

  // Those of earlier calls. The best plan should lie about as far above the bound as the last one
  // did: no other plan is looked for. False if the answer is still open.
  bool search_by_known_prices() {
    const double bound = grid_->least_energy(now_);
    raise_lower(bound);
    if (is_too_late(grid_->least_time(now_))) return true;
    const double guess = kGuess * closeness_ * bound;
    const double far = guess + kFurther * bound;
    if (bracket_.upper > far) offer_other_ends();
    Bracket near = bracket_;
    if (near.upper > far) near = {near.lower, far, {}};
    if (!(near.lower < near.upper) || !grid_->covers(now_, near.upper)) return false;
    const std::int64_t max_labels =
        grid_->fits(now_) ? kLabelsByKnownPrices * problem_.size() : kLabelsByOldPrices;
    close(near, all_.graph(), now_, stage_pass(0, max_labels), guess);
    raise_lower(near.lower);
    if (near.best) offer(placements_of(*near.best));
    return bracket_.is_closed() || limits_.stop.stop_requested();
  }

  // Where the rest of the last plan is late or dear: a part of it, and then what prices favour.
  void offer_other_ends() {
    const std::vector<PlacementId> rest = rest_of_last();
    for (const double share : kSharesKept) {
      std::vector<PlacementId> path = rest;
      path.resize(static_cast<std::size_t>(share * static_cast<double>(rest.size())));
      const State after = follow(problem_, estimator_, now_, path).end();
      const auto kept = static_cast<std::ptrdiff_t>(path.size());
      for (const auto& end : grid_->favoured(after)) {
        path.erase(path.begin() + kept, path.end());
        path.insert(path.end(), end.begin(), end.end());
        offer(path);
      }
    }
  }

  // False if there is no more to do.
  bool find_prices() {
    std::vector<std::vector<PlacementId>> paths;
    const bool is_bounded = grid_->price(now_, limits_.stop, paths);
    for (const auto& path : paths) offer(path);
    raise_lower(grid_->least_energy(now_));
    return is_bounded && !is_too_late(grid_->least_time(now_));
  }

  // False if that takes many labels.
  bool find_good_plan() {
    Bracket good = bracket_;
    const bool is_found = close(good, all_.graph(), now_, stage_pass(kRoughly, kRoughLabels));
    if (good.best) offer(placements_of(*good.best));
    return is_found;
  }

  // False if that takes more labels than these.
  bool find_best_plan(std::int64_t max_labels) {
    return finish(close(bracket_, all_.graph(), now_, stage_pass(0, max_labels)));
  }

  Pass stage_pass(double tolerance, std::int64_t max_labels) {
    const Goal& goal = problem_.goal();
    return [this, max_labels, loss = tolerance * goal.loss.value,
            time = tolerance * goal.deadline.value](double cut) {
      return noted(stages_.run({now_, cut, loss, time}, grid_->bound(),
                               {std::min(max_labels, max_labels_), limits_.stop}));
    };
  }

  LabelSearch::Outcome noted(LabelSearch::Outcome outcome) {
    stats_.labels += outcome.labels;
    stats_.bytes = std::max(stats_.bytes, outcome.bytes);
    return outcome;
  }

  void raise_lower(double bound) {
    bracket_.lower = std::max(bracket_.lower, std::min(bound, bracket_.upper));
  }

  bool is_too_late(double least_time) {
    is_infeasible_ = least_time > problem_.goal().time_bound().value;
    return is_infeasible_;
  }

  // Whether there is no more to do.
  bool finish(bool is_closed) {
    is_infeasible_ = is_closed && !bracket_.best;
    return is_closed || limits_.stop.stop_requested();
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
    Bracket bracket{std::max(best.bound, now_.energy.value), bracket_.upper, bracket_.best};
    const bool is_closed =
        search.close(bracket, now_, {std::min(kLabelsAmongFew, max_labels_), limits_.stop});
    if (bracket.best) offer(placements_of(*bracket.best));
    if (!is_closed && best.price > 0) {
      for (const double factor : kOtherPrices)
        search.price_time(factor * best.price, now_, limits_);
      offer_mixtures(search.graph(), search.priced());
    }
    stats_.labels += search.take_stats().labels;
    return best;
  }

  // Where labels are too many: parts of the plans that several prices favour, put together.
  void offer_mixtures(const SearchGraph& graph, const std::vector<const CostBound*>& bounds) {
    if (const auto plan = splice(graph, bounds, now_, limits_.stop)) offer(placements_of(*plan));
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
    result.stats = {stats_.labels + stats.labels,
                    std::max(stats_.bytes, stats.bytes) + (grid_ ? grid_->bytes() : 0)};
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
  StageSearch stages_;
  std::optional<AdditiveGraph> additive_;  // if losses add up
  std::optional<GridPricing> grid_;        // if a grid suits the problem
  std::optional<BoundedSearch> few_;
  std::size_t few_size_ = 0;
  std::set<PlacementId> used_;  // by any plan so far, or efficient
  struct Answer {
    std::optional<Plan> plan;
    bool is_best = false;
  };
  Answer last_;
  double closeness_ = 0;  // energy of the last plan on a grid, by its bound
  // Of the current call.
  State now_;
  BoundedSearch::Limits limits_;
  Bracket bracket_;
  bool is_infeasible_ = false;
  SearchStats stats_;
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
