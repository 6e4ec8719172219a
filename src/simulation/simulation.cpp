// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulation.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "core/parallel.h"

namespace espalier {
namespace {

// Runs that were cut short by `stop` tell nothing about the strategy: they and what follows go.
void drop_unfinished(std::vector<RunRecord>& records) {
  const auto cut = std::find_if(records.begin(), records.end(),
                                [](const RunRecord& r) { return r.end == RunEnd::Stopped; });
  records.erase(cut, records.end());
}

// The runs of one strategy. What takes long is found out once, for all workers. With an outlook,
// each run finds out everything itself.
class Runner {
 public:
  Runner(const World& world, const Deciding& deciding, const SimulationOptions& options,
         std::stop_token stop)
      : world_(world),
        deciding_(deciding),
        options_(options),
        stop_(std::move(stop)),
        planners_(worker_count(options.runs, options.workers)) {
    if (world.outlook || !deciding.strategy.info().promises) return;
    first_ = fresh_planner();
    first_->plan(world.estimated.start(), stop_);
  }

  RunRecord run(unsigned worker, std::size_t i) {
    const auto reality = world_.reality(options_.seed, i);
    if (world_.outlook) {
      const auto outlook = world_.outlook(i);
      return simulate_run(world_.estimated, *reality, *outlook, deciding_, options_.run, stop_);
    }
    return simulate_run(world_.estimated, *reality, planner_of(worker), options_.run, stop_);
  }

 private:
  std::unique_ptr<Planner> fresh_planner() const {
    return deciding_.strategy.planner(world_.estimated, deciding_.planning);
  }

  Planner& planner_of(unsigned worker) {
    auto& planner = planners_[worker];
    if (!planner && first_) planner = first_->fork();
    if (!planner) planner = fresh_planner();
    return *planner;
  }

  const World& world_;
  const Deciding deciding_;
  const SimulationOptions& options_;
  const std::stop_token stop_;
  std::unique_ptr<Planner> first_;
  std::vector<std::unique_ptr<Planner>> planners_;  // one for each worker
};

}  // namespace

std::vector<RunRecord> simulate_runs(const World& world, const Strategy& strategy,
                                     const PlannerOptions& planning,
                                     const SimulationOptions& options, std::stop_token stop,
                                     const RunsDone& done) {
  if (stop.stop_requested()) return {};
  std::vector<RunRecord> records(options.runs);
  Runner runner(world, {strategy, planning}, options, stop);
  std::mutex reporting;
  std::size_t finished = 0;
  for_each_index(options.runs, options.workers, [&](unsigned worker, std::size_t i) {
    if (stop.stop_requested()) {
      records[i].end = RunEnd::Stopped;
      return;
    }
    records[i] = runner.run(worker, i);
    const std::lock_guard lock(reporting);
    ++finished;
    if (done) done(finished);
  });
  drop_unfinished(records);
  return records;
}

}  // namespace espalier
