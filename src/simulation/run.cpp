// SPDX-License-Identifier: Apache-2.0
#include "simulation/run.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "core/error.h"

namespace espalier {
namespace {

bool some_epoch_fits(const Problem& problem, const State& now) {
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const PlacementId to{static_cast<std::int32_t>(i)};
    const auto change = problem.change(now.placement, to);
    const Training& training = problem.training(to);
    if (!change || !training.possible) continue;
    if (now.time + change->time + training.time <= problem.goal().time_bound()) return true;
  }
  return false;
}

// Says how a run should go on.
using Adviser = std::function<PlanResult(const Plan& course, const State& now, std::stop_token)>;

// The run so far, and the strategy that is asked how to go on. Owned by one thread.
class Course {
 public:
  Course(const Problem& estimated, Reality& reality, const Adviser& adviser,
         const RunOptions& options, std::stop_token stop)
      : problem_(estimated),
        reality_(reality),
        adviser_(adviser),
        options_(options),
        stop_(std::move(stop)),
        now_(estimated.start()) {
    record_.course.start = now_;
  }

  RunRecord finish() {
    for (;;) {
      const auto end = why_to_end();
      if (end) return close(*end);
      const auto to = decide();
      // What somebody says who was interrupted may not even be possible.
      if (stop_.stop_requested()) return close(RunEnd::Stopped);
      if (!to) return close(RunEnd::NothingToSay);
      train(*to);
    }
  }

 private:
  std::optional<RunEnd> why_to_end() const {
    if (problem_.goal().reached(now_.loss, now_.time)) return RunEnd::Reached;
    if (stop_.stop_requested()) return RunEnd::Stopped;
    if (!some_epoch_fits(problem_, now_)) return RunEnd::DeadlinePassed;
    if (now_.epoch - problem_.start().epoch >= options_.max_epochs) return RunEnd::EpochLimit;
    return std::nullopt;
  }

  std::optional<PlacementId> decide() {
    if (options_.loop == Loop::Closed || record_.plans == 0) ask();
    const std::size_t next = options_.loop == Loop::Closed ? 0 : record_.course.steps.size();
    if (!plan_ || next >= plan_->steps.size()) return std::nullopt;
    return plan_->steps[next].placement;
  }

  void ask() {
    PlanResult result = adviser_(record_.course, now_, stop_);
    ++record_.plans;
    for (const std::string& note : result.notes) count_note(record_.notes, {note, 1});
    plan_ = std::move(result.plan);
    if (!plan_ || plan_->steps.empty()) return;
    const State end = plan_->end();
    const bool is_confident =
        result.verdict == Verdict::Optimal || result.verdict == Verdict::Feasible;
    if (!is_confident && !problem_.goal().reached(end.loss, end.time)) ++record_.fallbacks;
  }

  void train(PlacementId to) {
    const auto next = reality_.advance(now_, to);
    ESPALIER_CHECK(next.has_value());
    now_ = *next;
    record_.course.steps.push_back(
        {now_.placement, now_.loss, now_.time, now_.energy, now_.paid, reality_.arrival()});
  }

  RunRecord close(RunEnd end) {
    record_.end = end;
    record_.unknown_epochs = reality_.unknown_epochs();
    record_.switches = record_.course.switches(problem_);
    return std::move(record_);
  }

  const Problem& problem_;
  Reality& reality_;
  const Adviser& adviser_;
  const RunOptions options_;
  const std::stop_token stop_;
  State now_;
  std::optional<Plan> plan_;
  RunRecord record_;
};

}  // namespace

RunRecord simulate_run(const Problem& estimated, Reality& reality, Planner& planner,
                       const RunOptions& options, std::stop_token stop) {
  const Adviser ask = [&planner](const Plan&, const State& now, std::stop_token until) {
    return planner.plan(now, std::move(until));
  };
  return Course(estimated, reality, ask, options, std::move(stop)).finish();
}

RunRecord simulate_run(const Problem& estimated, Reality& reality, Outlook& outlook,
                       const Deciding& deciding, const RunOptions& options, std::stop_token stop) {
  const Adviser ask = [&](const Plan& course, const State& now, std::stop_token until) {
    const Problem believed = outlook.after(course);
    return deciding.strategy.planner(believed, deciding.planning)->plan(now, std::move(until));
  };
  RunOptions asked = options;
  if (deciding.strategy.info().commits) asked.loop = Loop::Open;
  return Course(estimated, reality, ask, asked, std::move(stop)).finish();
}

}  // namespace espalier
