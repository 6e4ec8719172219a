// SPDX-License-Identifier: Apache-2.0
// What a node agent decides: which of its few actions comes next. Pure; agent.h performs them.
//
//   Away → Waiting → Fetching → Working → Pushing → Reporting → Waiting …
//
// Whatever breaks on the way leads to Away, and from there back to what was not handed in yet.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/error.h"
#include "core/units.h"
#include "wire/link.h"

namespace espalier {

struct AgentPatience {
  // How long an orchestrator may be out of reach before the agent ends.
  Seconds lost{300};
  // How long it may refuse the agent: one of the same name may still be thought to be there.
  Seconds refused{30};
  // Between two tries, at first and at most; each failure doubles it, and chance takes up to half.
  Seconds first_rest{0.5};
  Seconds longest_rest{15};
};

enum class AgentPhase { Away, Waiting, Fetching, Working, Pushing, Reporting, Ended };

// Immutable: each event makes another.
struct AgentState {
  AgentPatience patience{};
  AgentPhase phase = AgentPhase::Away;
  std::string run{};                   // that it enrolled for
  std::optional<Task> task{};          // from Fetching on
  std::optional<TaskResult> result{};  // of the task, not handed in yet
  std::optional<TaskResult> last{};    // handed in, should it be asked for again
  int failures = 0;                    // in a row
  bool was_refused = false;            // by an orchestrator that it was enrolled with
  std::optional<Seconds> away_since{};
};

// When an event happened, and a number in [0, 1) that nobody else draws.
struct Moment {
  Seconds now{};
  double luck = 0;
};

struct AgentStarted {};
struct Rested {};
struct LinkLost {
  std::string why;
};
struct LinkRefused {
  std::string why;
};
// A file of this node's could not be written or read: it is the task that fails, not the link.
struct FileFailed {
  std::string why;
};
struct NetworkFetched {};
struct TaskWithdrawn {};
struct UpdatePushed {};
struct StopAsked {};
using AgentEvent = std::variant<AgentStarted, Rested, Welcome, LinkLost, LinkRefused, FileFailed,
                                Nothing, Task, Dismissal, NetworkFetched, TaskWithdrawn, TaskResult,
                                UpdatePushed, Receipt, StopAsked>;

struct Enrol {};
struct Rest {
  Seconds time{};
};
struct AskForTask {};
struct FetchNetwork {
  ObjectRef network;
};
struct DoTask {
  Task task;
};
struct PushUpdate {
  ObjectRef update;
};
struct HandIn {
  TaskResult result;
};
struct EndAgent {
  std::optional<ErrorCode> error;  // none: all is well
  std::string why;
};
using AgentAction =
    std::variant<Enrol, Rest, AskForTask, FetchNetwork, DoTask, PushUpdate, HandIn, EndAgent>;

struct AgentTransition {
  AgentState state;
  AgentAction next;
  std::vector<std::string> remarks{};  // for people, one line each
};

AgentTransition on(AgentState state, const AgentEvent& event, const Moment& moment);

}  // namespace espalier
