// SPDX-License-Identifier: Apache-2.0
#include "cli/comparing.h"

#include "cli/judge.h"
#include "cli/progress.h"
#include "core/parallel.h"
#include "realisations/truth.h"
#include "strategies/registry.h"

namespace espalier {
namespace {

// One strategy at one point; past the last strategy: the optimum.
struct Job {
  std::size_t point = 0;
  std::size_t strategy = 0;
};

class Comparer {
 public:
  Comparer(std::span<const ComparePoint> points, const CompareWork& work,
           const Interruption& interruption)
      : points_(points),
        work_(work),
        stop_(interruption.token()),
        comparisons_(points.size()),
        progress_("comparing", points.size() * work.strategies.size() * work.simulation.runs) {
    for (Comparison& comparison : comparisons_) comparison.rows.resize(work.strategies.size());
  }

  // Many jobs go side by side; few leave the cores to the runs of each.
  std::vector<Comparison> compare() {
    const std::size_t jobs = points_.size() * (work_.strategies.size() + 1);
    const bool side_by_side = work_.simulation.runs == 1 || jobs >= 2 * worker_count(jobs, 0);
    run_workers_ = side_by_side ? 1 : 0;
    for_each_index(jobs, side_by_side ? 0 : 1, [&](unsigned, std::size_t i) {
      run({i / (work_.strategies.size() + 1), i % (work_.strategies.size() + 1)});
    });
    return std::move(comparisons_);
  }

 private:
  void run(const Job& job) {
    Comparison& comparison = comparisons_[job.point];
    if (job.strategy == work_.strategies.size()) {
      comparison.optimum = optimum(points_[job.point]);
    } else {
      comparison.rows[job.strategy] = row(points_[job.point], *work_.strategies[job.strategy]);
    }
  }

  PlanResult optimum(const ComparePoint& point) const {
    PlannerOptions planning = work_.planning;
    planning.estimator = Estimator::Expected;
    return strategy_named("exact")
        .planner(point.actual, planning)
        ->plan(point.actual.start(), stop_);
  }

  CompareRow row(const ComparePoint& point, const Strategy& strategy) {
    const Problem& problem = point.input.estimated;
    CompareRow row{strategy.info().name,
                   strategy.planner(problem, work_.planning)->plan(problem.start(), stop_),
                   {}};
    if (!point.input.is_biased) judge(point.input.scenario, problem, row.strategy, row.planned);
    SimulationOptions simulation = work_.simulation;
    simulation.workers = run_workers_;
    if (strategy.info().commits) simulation.run.loop = Loop::Open;
    const auto records =
        simulate_runs({problem, point.actual}, strategy, work_.planning, simulation, stop_,
                      [&](std::size_t) { progress_.add_one(); });
    if (!records.empty())
      row.summary = summarise(records, has_noise(point.actual) ? Luck::Drawn : Luck::None);
    return row;
  }

  std::span<const ComparePoint> points_;
  const CompareWork& work_;
  std::stop_token stop_;
  std::vector<Comparison> comparisons_;
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
