// SPDX-License-Identifier: Apache-2.0
#include "studies/comparing.h"

#include <algorithm>

#include "clairvoyance/clairvoyant.h"
#include "core/infinite.h"
#include "core/parallel.h"
#include "replay/traced_optimum.h"
#include "strategies/registry.h"
#include "studies/judge.h"

namespace espalier {
namespace {

// Runs whose clairvoyant optimum is found.
constexpr std::size_t kMostOptima = 200;

class Comparer {
 public:
  Comparer(std::span<const ComparePoint> points, const CompareWork& work, std::stop_token stop)
      : points_(points),
        work_(work),
        stop_(std::move(stop)),
        comparisons_(points.size()),
        optima_(points.size()) {
    for (Comparison& comparison : comparisons_) comparison.rows.resize(work.strategies.size());
  }

  // Many jobs go side by side; few leave the cores to the runs of each.
  std::vector<Comparison> compare() {
    for (std::size_t i = 0; i < points_.size(); ++i) find_optimum(i);
    const std::size_t jobs = points_.size() * work_.strategies.size();
    const bool side_by_side = work_.simulation.runs == 1 || jobs >= 2 * worker_count(jobs, 0);
    run_workers_ = side_by_side ? 1 : 0;
    for_each_index(jobs, side_by_side ? 0 : 1, [&](unsigned, std::size_t i) {
      const std::size_t point = i / work_.strategies.size();
      const std::size_t strategy = i % work_.strategies.size();
      comparisons_[point].rows[strategy] = row(point, *work_.strategies[strategy]);
    });
    return std::move(comparisons_);
  }

 private:
  // Energies of the optimum, run by run; infinite where not even that reaches the goal.
  void find_optimum(std::size_t i) {
    const Environment& environment = points_[i].environment;
    Comparison& comparison = comparisons_[i];
    const bool is_drawn = environment.luck() == Luck::Drawn;
    if (environment.traced() != nullptr) {
      const auto results = traced_optima(environment);
      if (!is_drawn) comparison.optimum = results.front();
      ClairvoyantSummary summary;
      optima_[i] = summarise(results, summary);
      if (is_drawn) comparison.clairvoyant = summary;
    } else if (is_drawn) {
      optima_[i] = summarise(clairvoyant_optima(environment.actual(), realisations(), {}, stop_),
                             comparison.clairvoyant.emplace());
    } else {
      comparison.optimum = exact_optimum(environment.actual());
      const auto& plan = comparison.optimum.plan;
      optima_[i] = {plan ? plan->end().energy.value : kInfinite};
    }
  }

  PlanResult exact_optimum(const Problem& actual) const {
    PlannerOptions planning = work_.planning;
    planning.estimator = Estimator::Expected;
    return strategy_named("exact").planner(actual, planning)->plan(actual.start(), stop_);
  }

  std::vector<PlanResult> traced_optima(const Environment& environment) const {
    std::vector<PlanResult> results(std::min(work_.simulation.runs, kMostOptima));
    for_each_index(results.size(), 0, [&](unsigned, std::size_t run) {
      results[run] = traced_optimum(*environment.traced(), environment.actual(), run, stop_);
    });
    return results;
  }

  Realisations realisations() const {
    return {work_.simulation.seed, std::min(work_.simulation.runs, kMostOptima), 0};
  }

  static double least_energy(const ClairvoyantResult& result) { return result.lower_bound.value; }
  static double least_energy(const PlanResult& result) {
    return result.verdict == Verdict::Optimal ? result.plan->end().energy.value : kInfinite;
  }

  template <class Result>
  static std::vector<double> summarise(const std::vector<Result>& results,
                                       ClairvoyantSummary& summary) {
    std::vector<double> energies;
    summary.runs = results.size();
    for (const Result& result : results) {
      energies.push_back(least_energy(result));
      if (energies.back() == kInfinite) continue;
      ++summary.reachable;
      summary.proved += result.verdict == Verdict::Optimal;
      summary.energy += energies.back();
    }
    if (summary.reachable > 0) summary.energy /= static_cast<double>(summary.reachable);
    return energies;
  }

  // On the runs that reached the goal and whose optimum is known.
  static std::optional<double> excess(const std::vector<RunRecord>& records,
                                      const std::vector<double>& optima) {
    double ours = 0;
    double least = 0;
    for (std::size_t i = 0; i < std::min(records.size(), optima.size()); ++i) {
      if (!records[i].reached() || optima[i] == kInfinite) continue;
      ours += records[i].course.end().energy.value;
      least += optima[i];
    }
    if (least > 0) return ours / least - 1;
    return std::nullopt;
  }

  CompareRow row(std::size_t index, const Strategy& strategy) {
    const ComparePoint& point = points_[index];
    const Problem& problem = point.environment.believed();
    if (stop_.stop_requested()) return {strategy.info().name, {}, {}, {}};
    CompareRow row{strategy.info().name,
                   strategy.planner(problem, work_.planning)->plan(problem.start(), stop_),
                   {},
                   {}};
    if (!point.input.is_biased) judge(point.input.scenario, problem, row.strategy, row.planned);
    SimulationOptions simulation = work_.simulation;
    simulation.workers = run_workers_;
    if (strategy.info().commits) simulation.run.loop = Loop::Open;
    const auto records =
        simulate_runs({problem, point.environment.reality(), point.environment.outlook()}, strategy,
                      work_.planning, simulation, stop_, [&](std::size_t) { work_.on_run(); });
    row.excess = excess(records, optima_[index]);
    if (!records.empty()) row.summary = espalier::summarise(records, point.environment.luck());
    return row;
  }

  std::span<const ComparePoint> points_;
  const CompareWork& work_;
  std::stop_token stop_;
  std::vector<Comparison> comparisons_;
  std::vector<std::vector<double>> optima_;  // of each point
  unsigned run_workers_ = 0;
};

}  // namespace

std::vector<Comparison> compare_strategies(std::span<const ComparePoint> points,
                                           const CompareWork& work, std::stop_token stop) {
  return Comparer(points, work, std::move(stop)).compare();
}

}  // namespace espalier
