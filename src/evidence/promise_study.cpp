// SPDX-License-Identifier: Apache-2.0
#include "evidence/promise_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "clairvoyance/clairvoyant.h"
#include "core/infinite.h"
#include "core/problem.h"
#include "estimation/trace_stories.h"
#include "outlook/believed_curves.h"
#include "simulation/simulation.h"
#include "simulation/summary.h"
#include "strategies/registry.h"

namespace espalier {
namespace {

constexpr std::array kAskedProbabilities{0.8, 0.9, 0.95, 0.98};
constexpr std::array<const char*, 4> kPromisers{"expectation", "expectation-margin", "depl",
                                                "policy"};
constexpr double kTimeToSpare = 1.75;
constexpr double kTargetStep = 0.05;
constexpr std::uint64_t kJudgingSeed = 20261117;
constexpr double kNormal95Above = 1.6449;

// The planner was asked once; all runs go on from there.
class AskedOnce final : public Strategy {
 public:
  AskedOnce(const StrategyInfo& info, const Planner& planner) : info_(info), planner_(planner) {}
  const StrategyInfo& info() const override { return info_; }
  std::unique_ptr<Planner> planner(const Problem&, const PlannerOptions&) const override {
    return planner_.fork();
  }

 private:
  const StrategyInfo& info_;
  const Planner& planner_;
};

std::vector<RunRecord> judged_runs(const Problem& problem, const Strategy& strategy,
                                   const Planner& planner, const PromiseOptions& options,
                                   const std::stop_token& stop) {
  SimulationOptions simulation;
  simulation.runs = options.runs;
  simulation.seed = kJudgingSeed;
  simulation.workers = options.workers;
  // Fixed plans are followed to their end: what is promised is promised of them.
  const bool is_fixed = strategy.info().name != "policy";
  if (is_fixed) simulation.run.loop = Loop::Open;
  const World world{problem, reality_of(problem)};
  if (planner.fork() != nullptr)
    return simulate_runs(world, AskedOnce(strategy.info(), planner), {}, simulation, stop);
  return simulate_runs(world, strategy, {}, simulation, stop);
}

// On the runs whose clairvoyant optimum is known.
double excess_of(const std::vector<RunRecord>& records,
                 const std::vector<ClairvoyantResult>& optima) {
  double ours = 0;
  double least = 0;
  for (std::size_t i = 0; i < std::min(records.size(), optima.size()); ++i) {
    if (!records[i].reached() || optima[i].lower_bound.value == kInfinite) continue;
    ours += records[i].course.end().energy.value;
    least += optima[i].lower_bound.value;
  }
  return least > 0 ? ours / least - 1 : 0;
}

PromiseRow promise_row(const Problem& problem, const std::string& name,
                       const std::vector<ClairvoyantResult>& optima, const PromiseOptions& options,
                       const std::stop_token& stop) {
  PromiseRow row{.strategy = name, .asked = problem.goal().probability};
  const Strategy& strategy = strategy_named(name);
  const auto planner = strategy.planner(problem, {});
  const PlanResult planned = planner->plan(problem.start(), stop);
  if (!planned.plan || planned.verdict == Verdict::Infeasible) return row;
  const auto records = judged_runs(problem, strategy, *planner, options, stop);
  if (records.empty()) return row;
  const SimulationSummary summary = summarise(records, Luck::Drawn);
  row.promised = true;
  row.achieved = summary.probability;
  row.interval = summary.probability_interval;
  row.energy = summary.energy.mean;
  row.excess = excess_of(records, optima);
  return row;
}

// In which the plan that is blind to luck has time to spare.
Seconds deadline_for(const Problem& problem) {
  const PlanResult blind =
      strategy_named("expectation").planner(problem, {})->plan(problem.start(), {});
  if (!blind.plan) return problem.goal().deadline;
  return Seconds{std::ceil(kTimeToSpare * blind.plan->end().time.value)};
}

Problem with_own_deadline(const Problem& problem) {
  Goal goal = problem.goal();
  goal.deadline = deadline_for(problem);
  return problem.with_goal(goal);
}

Problem asked_for(const Problem& problem, double probability) {
  Goal goal = problem.goal();
  goal.probability = probability;
  return problem.with_goal(goal);
}

bool can_promise(const Problem& problem, const std::string& name, const std::stop_token& stop) {
  const PlanResult planned = strategy_named(name).planner(problem, {})->plan(problem.start(), stop);
  return planned.plan && planned.verdict != Verdict::Infeasible;
}

std::vector<ClairvoyantResult> optima_of(const Problem& problem, const PromiseOptions& options,
                                         const std::stop_token& stop, PromiseStudy& study) {
  auto optima = clairvoyant_optima(
      problem, {kJudgingSeed, options.clairvoyant_runs, options.workers}, {}, stop);
  double reached = 0;
  for (const ClairvoyantResult& one : optima) {
    if (one.lower_bound.value == kInfinite) continue;
    study.clairvoyant_energy += one.lower_bound.value;
    ++reached;
  }
  if (reached > 0) study.clairvoyant_energy /= reached;
  if (!optima.empty()) study.clairvoyant_share = reached / static_cast<double>(optima.size());
  return optima;
}

JumpSpec jump_between(const TraceStories& stories, double from, double to, const JumpSpec& known) {
  std::vector<ImaginedJump> seen;
  for (const RunStory& story : stories.runs) {
    for (const ChangeExample& one : story.changes) {
      const bool fits =
          std::abs(one.change.from - from) < 1e-6 && std::abs(one.change.to - to) < 1e-6;
      if (fits) seen.push_back({one.change.before.back(), {one.after, one.after, one.after}});
    }
  }
  if (seen.size() < 2) return known;
  const Jump line = jump_of(seen).jump.expected;
  double squares = 0;
  for (const ImaginedJump& one : seen)
    squares += std::pow(one.after.mean - line.apply(one.before), 2);
  const double reach = kNormal95Above * std::sqrt(squares / static_cast<double>(seen.size() - 1));
  for (ImaginedJump& one : seen) one.after.high += reach;
  const JumpBelief belief = jump_of(seen);
  return {belief.jump.expected, belief.noise, {}};
}

}  // namespace

std::size_t promise_row_count() { return kAskedProbabilities.size() * kPromisers.size(); }

Scenario with_traced_jumps(Scenario scenario, const std::vector<TraceRow>& rows) {
  const TraceStories stories = tell_stories(rows);
  for (ModelChangeSpec& change : scenario.model_changes)
    change.jump = jump_between(stories, scenario.models[change.from.pos()].prune,
                               scenario.models[change.to.pos()].prune, change.jump);
  return scenario;
}

std::optional<Loss> target_with_room(Scenario scenario, const std::stop_token& stop) {
  const Loss lowest = scenario.goal.loss;
  for (int step = 0; !stop.stop_requested(); ++step) {
    scenario.goal.loss = lowest + Loss{kTargetStep * step};
    if (scenario.goal.loss >= scenario.start.loss) return std::nullopt;
    const Problem problem =
        asked_for(with_own_deadline(Problem::estimated(scenario)), kAskedProbabilities.back());
    if (can_promise(problem, "expectation-margin", stop)) return scenario.goal.loss;
  }
  return std::nullopt;
}

PromiseStudy study_promises(const Scenario& scenario, const PromiseOptions& options,
                            const std::stop_token& stop, const std::function<void()>& done) {
  PromiseStudy study;
  const Problem problem = with_own_deadline(Problem::estimated(scenario));
  study.goal = problem.goal();
  study.runs = options.runs;
  const auto optima = optima_of(problem, options, stop, study);
  for (const double asked : kAskedProbabilities) {
    const Problem promised = asked_for(problem, asked);
    for (const char* name : kPromisers) {
      if (stop.stop_requested()) return study;
      study.rows.push_back(promise_row(promised, name, optima, options, stop));
      done();
    }
  }
  return study;
}

}  // namespace espalier
