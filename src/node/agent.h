// SPDX-License-Identifier: Apache-2.0
// A node agent: enrols, pulls tasks, does them with its own data, hands in what came of them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "node/agent_state.h"
#include "node/core_share.h"
#include "node/heartbeat.h"
#include "node/object_cache.h"
#include "node/worker.h"
#include "wire/link.h"

namespace espalier {

struct AgentTools {
  Link& link;
  ObjectCache& cache;
  const Worker& worker;
  const Clock& clock;
  const CoreShare* cores = nullptr;                         // to share with others, if at all
  std::function<void(std::string_view)> say = [](auto) {};  // one line for people
};

// How it ended: without an error where it was stopped or dismissed.
struct AgentEnd {
  std::optional<ErrorCode> error;
  std::string why;
};

// Performs what agent_state.h decides. Owned by one thread.
class Agent {
 public:
  // What the tools refer to must outlive it.
  Agent(Hello hello, AgentPatience patience, AgentTools tools);
  // Until it is dismissed, stopped, or out of patience. Throws nothing but our own mistakes.
  AgentEnd run(std::stop_token stop);

 private:
  AgentEvent perform(const AgentAction& action, std::stop_token stop);
  AgentEvent act(const Enrol& action, std::stop_token stop);
  AgentEvent act(const Rest& action, std::stop_token stop);
  AgentEvent act(const AskForTask& action, std::stop_token stop);
  AgentEvent act(const FetchNetwork& action, std::stop_token stop);
  AgentEvent act(const DoTask& action, std::stop_token stop);
  AgentEvent act(const PushUpdate& action, std::stop_token stop);
  AgentEvent act(const HandIn& action, std::stop_token stop);
  AgentEvent act(const EndAgent& action, std::stop_token stop);
  TaskResult done(const Task& task, Finished finished);
  Moment moment();

  const Hello hello_;
  const AgentTools tools_;
  AgentState state_;
  std::mt19937_64 luck_;
  std::unique_ptr<Heartbeat> heartbeat_;  // while enrolled
};

// Different for every process.
std::string new_incarnation();

}  // namespace espalier
