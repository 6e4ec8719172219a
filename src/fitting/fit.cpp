// SPDX-License-Identifier: Apache-2.0
#include "fitting/fit.h"

#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "core/error.h"
#include "core/parallel.h"
#include "estimation/forecaster_file.h"
#include "fitting/change_fit.h"
#include "fitting/run_fit.h"

namespace espalier {
namespace {

void check_losses(const TraceStories& traces) {
  for (const RunStory& story : traces.runs) {
    for (const StoryPoint& point : story.points) {
      if (point.loss >= 0) continue;
      throw Error(ErrorCode::BadInput,
                  fmt::format("run {}, epoch {}: the loss is {}; it must be ≥ 0", story.run,
                              point.epoch, point.loss),
                  "add a constant to all losses, such as their least possible value");
    }
  }
}

// Tells what all jobs do, one at a time.
class Herald {
 public:
  Herald(const FittingWatch& watch, std::size_t total) : watch_(watch), total_(total) {}

  FitWatch for_job(Subject what, std::size_t job, std::size_t jobs) {
    return {[this, what, job, jobs](const FitProgress& progress) {
              tell({.what = what, .fold = job, .folds = jobs - 1, .network = progress});
            },
            watch_.stop};
  }

  void add_done() {
    const std::lock_guard lock(mutex_);
    ++done_;
  }

 private:
  void tell(FittingNews news) {
    const std::lock_guard lock(mutex_);
    news.done = done_;
    news.total = total_;
    if (watch_.news) watch_.news(news);
  }

  const FittingWatch& watch_;
  const std::size_t total_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

// Jobs of the run estimator take longest, so they come first.
void do_all(RunFit& run, ChangeFit& change, const FittingOptions& options,
            const FittingWatch& watch) {
  const std::size_t total = run.jobs() + change.jobs();
  Herald herald(watch, total);
  for_each_index(total, options.workers, [&](unsigned, std::size_t i) {
    if (watch.stop.stop_requested()) return;
    if (i < run.jobs()) {
      run.do_job(i, herald.for_job(Subject::Run, i, run.jobs()));
    } else {
      const std::size_t job = i - run.jobs();
      change.do_job(job, herald.for_job(Subject::Change, job, change.jobs()));
    }
    herald.add_done();
  });
}

}  // namespace

std::optional<FitResult> fit(const TraceStories& traces, const FittingOptions& options,
                             const Fitters& fitters, const FittingWatch& watch) {
  check_losses(traces);
  RunFit run(traces, options, fitters);
  ChangeFit change(traces, options, fitters);
  do_all(run, change, options, watch);
  if (watch.stop.stop_requested()) return std::nullopt;
  FitResult result{.leftovers = traces.leftovers, .rows = traces.rows, .runs = traces.runs.size()};
  run.tell(result);
  change.tell(result);
  result.tuning.seen = familiar_with(traces.runs);
  result.fitted.calibration = tuning_tensors(result.tuning);
  return result;
}

}  // namespace espalier
