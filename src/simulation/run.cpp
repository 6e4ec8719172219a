// SPDX-License-Identifier: Apache-2.0
#include "simulation/run.h"

#include <algorithm>
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

// The run so far, and the strategy that is asked how to go on. Owned by one thread.
class Course {
 public:
  Course(const Problem& estimated, const Truth& truth, Planner& planner, const RunOptions& options,
         std::stop_token stop)
      : problem_(estimated),
        truth_(truth),
        planner_(planner),
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
      if (!to) return close(stop_.stop_requested() ? RunEnd::Stopped : RunEnd::NothingToSay);
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
    PlanResult result = planner_.plan(now_, stop_);
    ++record_.plans;
    for (const std::string& note : result.notes) count(note);
    plan_ = std::move(result.plan);
    if (!plan_ || plan_->steps.empty()) return;
    const State end = plan_->end();
    const bool is_confident =
        result.verdict == Verdict::Optimal || result.verdict == Verdict::Feasible;
    if (!is_confident && !problem_.goal().reached(end.loss, end.time)) ++record_.fallbacks;
  }

  void train(PlacementId to) {
    const auto next = truth_.advance(now_, to);
    ESPALIER_CHECK(next.has_value());
    now_ = *next;
    record_.course.steps.push_back({now_.placement, now_.loss, now_.time, now_.energy, now_.paid});
  }

  void count(const std::string& text) {
    const auto same = [&](const CountedNote& note) { return note.text == text; };
    const auto found = std::find_if(record_.notes.begin(), record_.notes.end(), same);
    if (found == record_.notes.end()) {
      record_.notes.push_back({text, 1});
    } else {
      ++found->count;
    }
  }

  RunRecord close(RunEnd end) {
    record_.end = end;
    record_.switches = record_.course.switches(problem_);
    return std::move(record_);
  }

  const Problem& problem_;
  const Truth& truth_;
  Planner& planner_;
  const RunOptions& options_;
  const std::stop_token stop_;
  State now_;
  std::optional<Plan> plan_;
  RunRecord record_;
};

}  // namespace

RunRecord simulate_run(const Problem& estimated, const Truth& truth, Planner& planner,
                       const RunOptions& options, std::stop_token stop) {
  return Course(estimated, truth, planner, options, std::move(stop)).finish();
}

}  // namespace espalier
