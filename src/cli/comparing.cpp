// SPDX-License-Identifier: Apache-2.0
#include "cli/comparing.h"

#include <algorithm>

#include "clairvoyance/clairvoyant.h"
#include "cli/judge.h"
#include "cli/progress.h"
#include "core/infinite.h"
#include "core/parallel.h"
#include "realisations/truth.h"
#include "strategies/registry.h"

namespace espalier {
namespace {

// Runs whose clairvoyant optimum is found.
constexpr std::size_t kMostOptima = 200;

class Comparer {
 public:
  Comparer(std::span<const ComparePoint> points, const CompareWork& work,
           const Interruption& interruption)
      : points_(points),
        work_(work),
        stop_(interruption.token()),
        comparisons_(points.size()),
        optima_(points.size()),
        progress_("comparing", points.size() * work.strategies.size() * work.simulation.runs) {
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
    const Problem& actual = points_[i].actual;
    if (has_noise(actual)) {
      optima_[i] = summarise(clairvoyant_optima(actual, realisations(), {}, stop_),
                             comparisons_[i].clairvoyant.emplace());
      return;
    }
    PlannerOptions planning = work_.planning;
    planning.estimator = Estimator::Expected;
    comparisons_[i].optimum =
        strategy_named("exact").planner(actual, planning)->plan(actual.start(), stop_);
    const auto& plan = comparisons_[i].optimum.plan;
    optima_[i] = {plan ? plan->end().energy.value : kInfinite};
  }

  Realisations realisations() const {
    return {work_.simulation.seed, std::min(work_.simulation.runs, kMostOptima), 0};
  }

  static std::vector<double> summarise(const std::vector<ClairvoyantResult>& results,
                                       ClairvoyantSummary& summary) {
    std::vector<double> energies;
    summary.runs = results.size();
    for (const ClairvoyantResult& result : results) {
      energies.push_back(result.lower_bound.value);
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
    const Problem& problem = point.input.estimated;
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
        simulate_runs({problem, reality_of(point.actual)}, strategy, work_.planning, simulation,
                      stop_, [&](std::size_t) { progress_.add_one(); });
    row.excess = excess(records, optima_[index]);
    if (!records.empty())
      row.summary =
          espalier::summarise(records, has_noise(point.actual) ? Luck::Drawn : Luck::None);
    return row;
  }

  std::span<const ComparePoint> points_;
  const CompareWork& work_;
  std::stop_token stop_;
  std::vector<Comparison> comparisons_;
  std::vector<std::vector<double>> optima_;  // of each point
  Progress progress_;
  unsigned run_workers_ = 0;
};

}  // namespace

std::vector<Comparison> compare_strategies(std::span<const ComparePoint> points,
                                           const CompareWork& work,
                                           const Interruption& interruption) {
  return Comparer(points, work, interruption).compare();
}

}  // namespace espalier
