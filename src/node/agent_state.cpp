// SPDX-License-Identifier: Apache-2.0
#include "node/agent_state.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "node/task_check.h"
#include "node/wording.h"

namespace espalier {
namespace {

constexpr int kMostDoublings = 20;

std::string_view words_of(Receipt receipt) {
  switch (receipt) {
    case Receipt::Accepted:
      return "counted";
    case Receipt::Duplicate:
      return "known already";
    case Receipt::Late:
      return "too late";
    case Receipt::Unselected:
      return "not asked for";
    case Receipt::Malformed:
      break;
  }
  return "not understood";
}

// Turns one event into one transition. Owned by one thread.
class Deciding {
 public:
  Deciding(AgentState state, const Moment& moment) : state_(std::move(state)), moment_(moment) {}

  AgentTransition operator()(const AgentStarted&) { return go(AgentPhase::Away, Enrol{}); }
  AgentTransition operator()(const Rested&) { return go(AgentPhase::Away, Enrol{}); }

  AgentTransition operator()(const Welcome& welcome) {
    remark(fmt::format("enrolled for run {}{}", welcome.run,
                       welcome.nodes.empty() ? "" : " in node set " + welcome.nodes));
    if (welcome.run != state_.run) forget_other_run();
    state_.run = welcome.run;
    state_.away_since.reset();
    return state_.result ? deliver() : wait();
  }

  // The link's own tries are over; what was fetched or finished so far is kept.
  AgentTransition operator()(const LinkLost& lost) { return leave(lost.why, state_.patience.lost); }

  // Perhaps the orchestrator was started anew and knows nobody yet: what is at hand gets a second
  // chance after enrolling again, not a third.
  AgentTransition operator()(const LinkRefused& refused) {
    if (state_.phase == AgentPhase::Away) return leave(refused.why, state_.patience.refused);
    if (state_.was_refused) drop("refused: " + refused.why);
    state_.was_refused = true;
    return leave(refused.why, state_.patience.refused);
  }

  AgentTransition operator()(const FileFailed& failed) {
    if (state_.result || state_.task) return give_up(TaskEnd::Failed, failed.why);
    return leave(failed.why, state_.patience.lost);
  }

  AgentTransition operator()(const Nothing&) {
    state_.failures = 0;
    state_.was_refused = false;
    return wait();
  }

  AgentTransition operator()(const Task& task) {
    if (state_.last && state_.last->task == task.id) return again();
    state_.task = task;
    remark(fmt::format("{}: {}", words_of(task.id), words_of(task.work)));
    if (const auto fault = fault_of(task, state_.run)) return give_up(TaskEnd::Refused, *fault);
    return go(AgentPhase::Fetching, FetchNetwork{task.network});
  }

  AgentTransition operator()(const Dismissal& dismissal) {
    return end({std::nullopt, "dismissed: " + dismissal.reason});
  }

  AgentTransition operator()(const NetworkFetched&) {
    state_.failures = 0;
    return go(AgentPhase::Working, DoTask{*state_.task});
  }

  AgentTransition operator()(const TaskWithdrawn&) {
    drop("nobody waits for it any more");
    return wait();
  }

  AgentTransition operator()(const TaskResult& result) {
    remark(fmt::format("{}: {}", words_of(result.task), words_of(result)));
    state_.result = result;
    return deliver();
  }

  AgentTransition operator()(const UpdatePushed&) {
    return go(AgentPhase::Reporting, HandIn{*state_.result});
  }

  AgentTransition operator()(const Receipt& receipt) {
    if (receipt != Receipt::Accepted)
      remark(fmt::format("{}: {}", words_of(state_.result->task), words_of(receipt)));
    state_.last = std::move(state_.result);
    state_.failures = 0;
    state_.was_refused = false;
    return wait();
  }

  AgentTransition operator()(const StopAsked&) { return end({std::nullopt, "stopped"}); }

 private:
  void remark(std::string text) { remarks_.push_back(std::move(text)); }

  AgentTransition go(AgentPhase phase, AgentAction next) {
    state_.phase = phase;
    return {std::move(state_), std::move(next), std::move(remarks_)};
  }

  AgentTransition wait() {
    state_.task.reset();
    state_.result.reset();
    return go(AgentPhase::Waiting, AskForTask{});
  }

  AgentTransition deliver() {
    if (state_.result->update) return go(AgentPhase::Pushing, PushUpdate{*state_.result->update});
    return go(AgentPhase::Reporting, HandIn{*state_.result});
  }

  AgentTransition again() {
    remark(fmt::format("{}: asked for again", words_of(state_.last->task)));
    state_.result = state_.last;
    return deliver();
  }

  // Of the task at hand, or of what was made of it.
  AgentTransition give_up(TaskEnd end, const std::string& why) {
    TaskResult result;
    result.task = state_.result ? state_.result->task : state_.task->id;
    result.end = end;
    result.message = why;
    return (*this)(result);
  }

  void drop(const std::string& why) {
    const auto& id = state_.result ? std::optional(state_.result->task)
                     : state_.task ? std::optional(state_.task->id)
                                   : std::nullopt;
    if (id) remark(fmt::format("{}: {}", words_of(*id), why));
    state_.task.reset();
    state_.result.reset();
  }

  void forget_other_run() {
    if (state_.result) drop("of another run");
    state_.last.reset();
  }

  AgentTransition leave(const std::string& why, Seconds patience) {
    if (!state_.away_since) state_.away_since = moment_.now;
    if (state_.phase != AgentPhase::Away && !state_.result) state_.task.reset();
    const Seconds away = moment_.now - *state_.away_since;
    if (away >= patience) return end({ErrorCode::NotAllowed, why});
    const Seconds rest = next_rest();
    remark(fmt::format("{}; next try in {:.1f} s", why, rest.value));
    return go(AgentPhase::Away, Rest{rest});
  }

  Seconds next_rest() {
    const double doubled =
        std::ldexp(state_.patience.first_rest.value, std::min(state_.failures, kMostDoublings));
    ++state_.failures;
    const double longest = std::min(doubled, state_.patience.longest_rest.value);
    return {longest * (1 - moment_.luck / 2)};
  }

  AgentTransition end(EndAgent how) { return go(AgentPhase::Ended, std::move(how)); }

  AgentState state_;
  const Moment moment_;
  std::vector<std::string> remarks_;
};

}  // namespace

AgentTransition on(AgentState state, const AgentEvent& event, const Moment& moment) {
  return std::visit(Deciding(std::move(state), moment), event);
}

}  // namespace espalier
