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

}  // namespace

std::vector<RunRecord> simulate_runs(const World& world, const Strategy& strategy,
                                     const PlannerOptions& planning,
                                     const SimulationOptions& options, std::stop_token stop,
                                     const RunsDone& done) {
  if (stop.stop_requested()) return {};
  std::vector<RunRecord> records(options.runs);
  std::vector<std::unique_ptr<Planner>> planners(worker_count(options.runs, options.workers));
  // What takes long is found out once, for all workers.
  const std::unique_ptr<Planner> first =
      strategy.info().promises ? strategy.planner(world.estimated, planning) : nullptr;
  if (first) first->plan(world.estimated.start(), stop);
  std::mutex reporting;
  std::size_t finished = 0;
  for_each_index(options.runs, options.workers, [&](unsigned worker, std::size_t i) {
    if (stop.stop_requested()) {
      records[i].end = RunEnd::Stopped;
      return;
    }
    auto& planner = planners[worker];
    if (!planner && first) planner = first->fork();
    if (!planner) planner = strategy.planner(world.estimated, planning);
    const Truth truth(world.actual, options.seed, i);
    records[i] = simulate_run(world.estimated, truth, *planner, options.run, stop);
    const std::lock_guard lock(reporting);
    ++finished;
    if (done) done(finished);
  });
  drop_unfinished(records);
  return records;
}

}  // namespace espalier
