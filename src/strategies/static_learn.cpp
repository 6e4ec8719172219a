// SPDX-License-Identifier: Apache-2.0
// Problem.    The cheapest plan that uses every model of a chain once, in order, each lowering
//             the loss by the same amount (jumps excluded), within 5 %.
// Idea.       Depth-first over stages (placement, epochs). A stage must end where its
//             contribution fits those before, so only the first stage branches widely. If no plan
//             is even within 5 %, the tolerance is widened. The plan is made once: asked again in
//             the course of a run, it is followed, its last stage prolonged as needed.
#include "strategies/static_learn.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "search/cost_front.h"
#include "strategies/described.h"

namespace espalier {
namespace {

// Largest contribution over smallest, tried in this order; the paper's margin first.
constexpr double kTolerances[] = {
    1.05, 1.1, 1.15, 1.2, 1.3, 1.5, 2, 3, std::numeric_limits<double>::infinity()};

class StaticLearnPlanner final : public Planner {
 public:
  StaticLearnPlanner(const Problem& problem, Estimator estimator, std::int64_t max_steps)
      : problem_(problem), estimator_(estimator), max_steps_(max_steps) {}

  PlanResult plan(const State& now, std::stop_token stop) override {
    stop_ = std::move(stop);
    if (now.epoch > first_epoch_ && !decided_.empty()) return follow_decided(now);
    PlanResult result = decide(now);
    first_epoch_ = now.epoch;
    decided_.clear();
    if (result.plan) {
      for (const Step& step : result.plan->steps) decided_.push_back(step.placement);
    }
    return result;
  }

 private:
  PlanResult follow_decided(const State& now) const {
    const auto done = std::min(static_cast<std::size_t>(now.epoch - first_epoch_), decided_.size());
    std::vector<PlacementId> rest(decided_.begin() + static_cast<std::ptrdiff_t>(done),
                                  decided_.end());
    PlanResult result;
    result.estimator = estimator_;
    result.lower_bound = now.energy;
    Plan plan = follow(problem_, estimator_, now, rest);
    State at = plan.end();
    while (!problem_.goal().reached(at.loss, at.time)) {
      const auto next = advance(problem_, estimator_, at, decided_.back());
      if (!next || next->time > problem_.goal().time_bound()) return result;
      at = *next;
      plan.steps.push_back({at.placement, at.loss, at.time, at.energy});
    }
    result.verdict = Verdict::Feasible;
    result.plan = std::move(plan);
    return result;
  }

  PlanResult decide(const State& now) {
    steps_ = 0;
    best_.reset();
    least_ = std::numeric_limits<double>::infinity();
    PlanResult result;
    result.estimator = estimator_;
    if (problem_.goal().reached(now.loss, now.time)) best_ = Plan{now, {}};
    for (const double tolerance : kTolerances) {
      if (best_ || is_exhausted()) break;
      tolerance_ = tolerance;
      search(now);
      if (best_ && tolerance > kTolerances[0]) result.notes.push_back(margin_note());
    }
    result.verdict = is_exhausted() ? Verdict::Limit
                     : best_        ? Verdict::Feasible
                                    : Verdict::Infeasible;
    result.lower_bound = least_energy(now);
    result.stats.labels = steps_;
    result.plan = std::move(best_);
    return result;
  }

  // Of any plan at all: the deadline and the shares ignored.
  Joules least_energy(const State& now) const {
    const SearchGraph graph(problem_, estimator_, PlanShape::any());
    CostFront front(graph, 1, 0);
    const double rest = front.extend_to(now, stop_, max_steps_);
    return rest < std::numeric_limits<double>::infinity() ? now.energy + Joules{rest} : now.energy;
  }

  // What the models used so far have contributed.
  struct Contributions {
    double least = std::numeric_limits<double>::infinity();
    double most = 0;

    Contributions with(double one) const { return {std::min(least, one), std::max(most, one)}; }
    bool is_even(double tolerance) const { return most <= tolerance * least; }
  };

  bool is_exhausted() const { return steps_ >= max_steps_ || stop_.stop_requested(); }

  // From each chain that holds the current model, the part from there on.
  void search(const State& now) {
    const ModelId model = problem_.training(now.placement).at.model;
    for (const auto& chain : problem_.model_chains()) {
      const auto at = std::find(chain.begin(), chain.end(), model);
      if (at == chain.end() || !may_end_with(chain.back())) continue;
      rest_ = {at, chain.end()};
      Plan plan{now, {}};
      try_stage(0, plan, {});
    }
  }

  // Whether an epoch of the model lowers any loss to the goal: without a share of its own in that
  // it is no last stage.
  bool may_end_with(ModelId model) const {
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      const PlacementId placement{static_cast<std::int32_t>(i)};
      const Training& training = problem_.training(placement);
      if (training.at.model != model || !training.possible) continue;
      if (brings_down(training.rule[estimator_])) return true;
    }
    return false;
  }

  bool brings_down(const LearningRule& rule) const {
    const double target = problem_.goal().loss_bound().value;
    for (int epoch = 1; epoch <= rule.last_special_epoch() + 1; ++epoch) {
      if (rule.largest_before(epoch, target, problem_.ceiling()) > target * (1 + 1e-9)) return true;
    }
    return false;
  }

  void try_stage(std::size_t stage, Plan& plan, const Contributions& before) {
    for (std::size_t i = 0; i < problem_.size() && !is_exhausted(); ++i) {
      const PlacementId placement{static_cast<std::int32_t>(i)};
      if (problem_.training(placement).at.model != rest_[stage]) continue;
      const std::size_t length = plan.steps.size();
      train_at(placement, stage, plan, before);
      plan.steps.resize(length);
    }
  }

  // One epoch after the other, going on to the next model wherever the contribution fits.
  void train_at(PlacementId placement, std::size_t stage, Plan& plan, const Contributions& before) {
    double contribution = 0;
    while (!is_exhausted()) {
      ++steps_;
      const State from = plan.end();
      const auto to = advance(problem_, estimator_, from, placement);
      if (!to || to->energy.value >= least_ || to->time > problem_.goal().time_bound()) return;
      const double jump =
          problem_.change(from.placement, placement)->jump[estimator_].apply(from.loss.value);
      contribution += jump - to->loss.value;
      plan.steps.push_back({to->placement, to->loss, to->time, to->energy});
      if (contribution > tolerance_ * before.least) return;
      const Contributions all = before.with(contribution);
      const bool is_last = stage + 1 == rest_.size();
      if (problem_.goal().reached(to->loss, to->time)) {
        if (is_last && all.is_even(tolerance_)) keep(plan, all);
        return;
      }
      if (!is_last && contribution > 0 && all.is_even(tolerance_)) try_stage(stage + 1, plan, all);
    }
  }

  void keep(const Plan& plan, const Contributions& all) {
    best_ = plan;
    least_ = plan.end().energy.value;
    spread_ = all.most / all.least;
  }

  std::string margin_note() const {
    std::ostringstream note;
    note.precision(3);
    note << "no plan has contributions within 5 %; this one's differ by " << 100 * (spread_ - 1)
         << " %";
    return note.str();
  }

  const Problem& problem_;
  const Estimator estimator_;
  const std::int64_t max_steps_;
  // What the first call decided.
  int first_epoch_ = 0;
  std::vector<PlacementId> decided_;
  // Of the search.
  std::stop_token stop_;
  std::int64_t steps_ = 0;
  double tolerance_ = 1;
  double least_ = 0;
  double spread_ = 1;
  std::vector<ModelId> rest_;
  std::optional<Plan> best_;
};

}  // namespace

const Strategy& static_learn_strategy() {
  static const DescribedStrategy strategy(
      {.name = "static-learn",
       .summary = "every model of the chain in turn, each with the same share of the loss",
       .description = "Uses every model once, in the order of its lineage, each lowering the loss "
                      "by the same amount "
                      "(jumps excluded) within 5 %. At its best: the cheapest such plan that "
                      "reaches the goal. Where "
                      "no plan is that even, the margin is widened and the plan says so.",
       .estimator = Estimator::Expected,
       .exact = false,
       .anytime = true,
       .remembers = true},
      [](const Problem& problem, Estimator estimator,
         const PlannerOptions& options) -> std::unique_ptr<Planner> {
        return std::make_unique<StaticLearnPlanner>(problem, estimator, options.max_labels);
      });
  return strategy;
}

}  // namespace espalier
