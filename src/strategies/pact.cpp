// SPDX-License-Identifier: Apache-2.0
// One decision of PACT: the graph on robust estimates; if the goal is out of its reach, on expected
// ones; if it is out of reach there too, the way to the least loss by the deadline. Calling again
// with the observed state is the receding horizon. What the paper leaves open is decided in
// docs/pact.md.
#include "strategies/pact.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/error.h"
#include "search/cost_front.h"
#include "search/least_loss.h"
#include "strategies/described.h"
#include "strategies/pact_graph.h"

namespace espalier {
namespace {

// The coarsest grid that is tried when none is asked for, and how often it may be halved.
constexpr double kLossStepShare = 0.05;
constexpr double kTimeStepShare = 0.1;
constexpr double kDefaultShare = 1e-3;
constexpr double kMostSteps = 1e9;
constexpr int kMostHalvings = 12;
// Chosen steps are doubled until the graph is at most this large.
constexpr std::int64_t kComfortableVertices = 1'000'000;

std::string number(double value) {
  std::ostringstream text;
  text.precision(3);
  text << value;
  return text.str();
}

// One estimate's graph and fronts; the fronts serve every call.
struct View {
  View(const Problem& problem, Estimator estimator)
      : graph(problem, estimator, PlanShape::any()),
        time_front(graph, 0, 1),
        energy_front(graph, 1, 0) {}

  SearchGraph graph;
  CostFront time_front;
  CostFront energy_front;
};

class PactPlanner final : public Planner {
 public:
  PactPlanner(const Problem& problem, Estimator estimator, const PlannerOptions& options)
      : problem_(problem), options_(options), estimator_(estimator), view_(problem, estimator) {}

  PlanResult plan(const State& now, std::stop_token stop) override {
    PlanResult result;
    result.estimator = estimator_;
    result.lower_bound = now.energy;
    if (problem_.goal().reached(now.loss, now.time)) {
      result.verdict = Verdict::Feasible;
      result.plan = Plan{now, {}};
      return result;
    }
    result.lower_bound = now.energy + Joules{least_energy(now, stop)};
    choose_steps(now);
    const int halvings = halvings_left_;
    const bool is_decided = decide(view_, estimator_, now, result, stop);
    if (halvings_left_ < halvings) result.notes.push_back(coarse_note(halvings - halvings_left_));
    if (is_decided) return result;
    if (stop.stop_requested() || result.verdict == Verdict::Limit) return result;
    explain_failure(now, result, stop);
    if (estimator_ == Estimator::Robust) {
      if (!expected_) expected_.emplace(problem_, Estimator::Expected);
      const bool is_decided_so = decide(*expected_, Estimator::Expected, now, result, stop);
      result.notes.push_back(is_decided_so
                                 ? "no robustly feasible path: fell back to the expected estimates"
                                 : "no feasible path, neither robustly nor as expected");
      if (is_decided_so) return result;
    }
    head_for_least_loss(expected_ ? *expected_ : view_, now, result, stop);
    return result;
  }

 private:
  bool decide(View& view, Estimator estimator, const State& now, PlanResult& result,
              const std::stop_token& stop) {
    for (;;) {
      PactGraph graph(
          view.graph, view.time_front, view.energy_front,
          {estimator, rounding_, options_.weighs_risk, options_.irreversible_risk, vertex_limit()});
      const PactGraph::Outcome outcome = graph.choose(now, stop);
      result.stats.labels += outcome.vertices;
      result.stats.bytes = std::max(
          result.stats.bytes, outcome.bytes + view.time_front.bytes() + view.energy_front.bytes());
      if (!outcome.complete && may_coarsen() && !stop.stop_requested()) {
        coarsen();
        continue;
      }
      result.verdict = outcome.complete ? Verdict::Infeasible : Verdict::Limit;
      if (!outcome.choice) return false;
      result.estimator = estimator;
      result.plan = follow(problem_, estimator, now, outcome.choice->path);
      if (outcome.complete) result.verdict = Verdict::Feasible;
      return true;
    }
  }

  double least_energy(const State& now, const std::stop_token& stop) {
    const double least = view_.energy_front.extend_to(now, stop, options_.max_labels);
    return std::isfinite(least) ? least : 0;
  }

  // --- the grid ---

  std::int64_t vertex_limit() const {
    return may_coarsen() ? std::min(kComfortableVertices, options_.max_labels)
                         : options_.max_labels;
  }
  bool may_coarsen() const {
    return halvings_left_ > 0 && (options_.loss_step.value == 0 || options_.time_step.value == 0);
  }
  void coarsen() {
    --halvings_left_;
    if (options_.loss_step.value == 0) rounding_.loss_step *= 2;
    if (options_.time_step.value == 0) rounding_.time_step *= 2;
  }

  std::string coarse_note(int doublings) const {
    return "the graph was too large; its steps are " + number(std::exp2(doublings)) +
           " times as long as they should be: --loss-step " + number(rounding_.loss_step) +
           " --time-step " + number(rounding_.time_step);
  }

  // Once, from the first state: fine enough that rounding up eats little of the progress near the
  // goal, and of the time to spare.
  void choose_steps(const State& now) {
    if (rounding_.loss_step > 0) return;
    rounding_ = {options_.loss_step.value, options_.time_step.value};
    const Plan plan = follow(problem_, estimator_, now, view_.energy_front.cheapest_path(now));
    if (plan.steps.empty()) return use_default_steps(now);
    if (rounding_.loss_step <= 0)
      rounding_.loss_step = kLossStepShare * typical_decrease(plan, now);
    if (rounding_.time_step <= 0) rounding_.time_step = kTimeStepShare * time_to_spare(plan, now);
    check_steps(now);
  }

  // For a goal that no plan reaches, whatever the grid.
  void use_default_steps(const State& now) {
    if (rounding_.loss_step <= 0) rounding_.loss_step = kDefaultShare * now.loss.value;
    if (rounding_.time_step <= 0)
      rounding_.time_step = kDefaultShare * problem_.goal().deadline.value;
    check_steps(now);
  }

  // Of the last tenth of the plan, where it is smallest.
  double typical_decrease(const Plan& plan, const State& now) const {
    const std::size_t count = plan.steps.size();
    const double total = (now.loss - problem_.goal().loss).value;
    if (count < 2) return total;
    const std::size_t tail = std::max<std::size_t>(1, count / 10);
    const double fall = (plan.after(count - 1 - tail).loss - plan.after(count - 1).loss).value;
    const double least = total * 1e-6;
    const double typical = fall / static_cast<double>(tail);
    // An epoch that only makes up for a jump tells nothing.
    const double last = (plan.after(count - 1).loss - plan.after(count).loss).value;
    return std::max(typical > least ? typical : last, least);
  }

  // Per epoch: a share of what the deadline leaves over, but not finer than a share of an epoch.
  double time_to_spare(const Plan& plan, const State& now) const {
    const double epochs = std::max<double>(1, static_cast<double>(plan.steps.size()));
    const double average = std::max((plan.end().time - now.time).value, 1e-9) / epochs;
    const double spare = (problem_.goal().deadline - plan.end().time).value / epochs;
    return std::clamp(spare, 0.1 * average, 10 * average);
  }

  void check_steps(const State& now) {
    const double losses = std::max(now.loss.value, problem_.ceiling());
    const double times = problem_.goal().deadline.value;
    // Those that nobody asked for are never too many.
    if (options_.loss_step.value == 0)
      rounding_.loss_step = std::max(rounding_.loss_step, 2 * losses / kMostSteps);
    if (options_.time_step.value == 0)
      rounding_.time_step = std::max(rounding_.time_step, 2 * times / kMostSteps);
    if (losses / rounding_.loss_step < kMostSteps && times / rounding_.time_step < kMostSteps)
      return;
    throw Error(ErrorCode::BadInput,
                "pact's grid has more than " + number(kMostSteps) + " steps of loss or time",
                "choose a larger --loss-step or --time-step");
  }

  // --- what to say, and what to do, when nothing is feasible ---

  // A grid that is too coarse is not an infeasible goal.
  void explain_failure(const State& now, PlanResult& result, const std::stop_token& stop) {
    const double least_time = view_.time_front.extend_to(now, stop, options_.max_labels);
    if ((now.time.value + least_time) > problem_.goal().time_bound().value) return;
    Rounding finer = rounding_;
    for (int i = 0; i < kMostHalvings && !stop.stop_requested(); ++i) {
      finer = {finer.loss_step / 2, finer.time_step / 2};
      PactGraph graph(view_.graph, view_.time_front, view_.energy_front,
                      {estimator_, finer, options_.weighs_risk, options_.irreversible_risk,
                       std::min(kComfortableVertices, options_.max_labels)});
      if (!graph.has_path(now, stop)) continue;
      result.notes.push_back(
          "no feasible path at this resolution (loss step " + number(rounding_.loss_step) +
          ", time step " + number(rounding_.time_step) + " s); --loss-step " +
          number(finer.loss_step) + " --time-step " + number(finer.time_step) + " would find one");
      return;
    }
    result.notes.push_back(
        "the goal is feasible, but at no resolution that was tried; --strategy exact needs none");
  }

  void head_for_least_loss(View& view, const State& now, PlanResult& result,
                           const std::stop_token& stop) {
    const auto least = least_loss(view.graph, now, options_.max_labels, stop);
    if (!least || least->path.empty()) return;
    result.estimator = view.graph.estimator();
    result.plan = follow(problem_, result.estimator, now, least->path);
    const State end = result.plan->end();
    const bool reaches = problem_.goal().reached(end.loss, end.time);
    if (reaches) result.verdict = Verdict::Feasible;
    result.notes.push_back(std::string("the goal is out of reach even as expected") +
                           (reaches ? " on this grid" : "") +
                           ": heading for the least loss by the deadline, " + number(least->loss) +
                           (reaches ? "; the goal is on the way" : ""));
  }

  const Problem& problem_;
  const PlannerOptions options_;
  const Estimator estimator_;
  View view_;
  std::optional<View> expected_;
  Rounding rounding_;
  int halvings_left_ = kMostHalvings;
};

}  // namespace

const Strategy& pact_strategy() {
  static const DescribedStrategy strategy(
      {.name = "pact",
       .summary = "the PACT paper: robust estimates, quantised graph, receding horizon",
       .description =
           "Plans on a graph whose losses and times are rounded up to multiples of --loss-step and "
           "--time-step, weighs each path's energy by its risk and its opportunity, and is asked "
           "again "
           "after every epoch. Steps are chosen from the goal unless given.",
       .estimator = Estimator::Robust,
       .exact = false,
       .anytime = false,
       .remembers = true},
      [](const Problem& problem, Estimator estimator,
         const PlannerOptions& options) -> std::unique_ptr<Planner> {
        return std::make_unique<PactPlanner>(problem, estimator, options);
      });
  return strategy;
}

}  // namespace espalier
