// SPDX-License-Identifier: Apache-2.0
#include "node/local_agents.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "io/durable_write.h"
#include "node/agent_process.h"

namespace espalier {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr std::chrono::milliseconds kBetweenLooks{20};
constexpr std::chrono::seconds kTimeToEnd{3};

// A process that said that something is wrong with what it was given will say so again.
constexpr int kBadInputExit = 4;

int cores_to_share(int wanted) {
  if (wanted > 0) return wanted;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

ProcessOrder order_for(const LocalAgent& agent, const LocalAgentsOptions& options) {
  return {{options.program.string(),
           "node",
           "--orchestrator",
           options.address,
           "--nodes",
           agent.nodes,
           "--scenario",
           options.scenario.string(),
           "--member",
           std::to_string(agent.member),
           "--certificates",
           options.certificates_of(agent.name).string(),
           "--work",
           (options.folder / agent.name).string(),
           "--cores",
           (options.folder / "cores").string(),
           "--working",
           std::to_string(cores_to_share(options.working)),
           "--patience",
           "30 s",
           "--parent",
           std::to_string(::getpid())},
          options.folder / (agent.name + ".log")};
}

// The last error in it, as commands write theirs: lines of the message, then of the hint.
AgentFault fault_in(const std::filesystem::path& log) {
  const std::string begin = "error: ";
  const std::string hint = "  → ";
  AgentFault fault;
  std::string* part = &fault.message;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(begin)) {
      fault = {line.substr(begin.size()), ""};
      part = &fault.message;
    } else if (line.starts_with(hint)) {
      fault.hint = line.substr(hint.size());
      part = &fault.hint;
    } else if (const auto text = line.find_first_not_of(' '); text != std::string::npos) {
      *part += (part->empty() ? "" : " ") + line.substr(text);
    }
  }
  return fault;
}

struct Running {
  LocalAgent agent;
  std::optional<AgentProcess> process{};
  SteadyTime since{};
  int deaths = 0;  // in a row, each soon after its start
};

// Owned by one thread.
class Supervisor {
 public:
  Supervisor(const std::vector<LocalAgent>& agents, const LocalAgentsOptions& options,
             const std::function<void(const AgentNews&)>& tell)
      : options_(options), tell_(tell) {
    for (const LocalAgent& agent : agents) running_.push_back({agent});
  }

  void start_all() {
    for (Running& one : running_) start(one);
  }

  void look() {
    for (Running& one : running_) {
      if (!one.process) continue;
      if (const auto fate = one.process->fate()) bury(one, *fate);
    }
  }

  void end_all() {
    for (const Running& one : running_) {
      if (one.process) one.process->ask_to_end();
    }
    const SteadyTime end = std::chrono::steady_clock::now() + kTimeToEnd;
    while (std::chrono::steady_clock::now() < end && !are_gone())
      std::this_thread::sleep_for(kBetweenLooks);
    running_.clear();
  }

 private:
  void start(Running& one) const {
    one.process.emplace(order_for(one.agent, options_));
    one.since = std::chrono::steady_clock::now();
  }

  bool are_gone() {
    return std::ranges::all_of(running_, [](Running& one) {
      if (one.process && one.process->fate()) one.process.reset();
      return !one.process;
    });
  }

  void bury(Running& one, const ProcessFate& fate) {
    one.process.reset();
    const auto lived = std::chrono::steady_clock::now() - one.since;
    if (lived >= std::chrono::duration<double>(options_.long_life.value)) one.deaths = 0;
    if (fate.exit_code == 0) return tell_({one.agent.name, "", true});
    const bool is_bad_input = fate.exit_code == kBadInputExit;
    if (!is_bad_input && ++one.deaths <= options_.restarts) return restart(one, fate.words);
    const std::filesystem::path log = options_.folder / (one.agent.name + ".log");
    tell_({one.agent.name, fmt::format("{}; not started again, see {}", fate.words, log.string()),
           true, is_bad_input ? std::optional(fault_in(log)) : std::nullopt});
  }

  void restart(Running& one, const std::string& fate) {
    try {
      start(one);
      tell_({one.agent.name, fate + "; started again", false});
    } catch (const Error& error) {
      tell_({one.agent.name, fate + "; " + error.what(), true});
    }
  }

  const LocalAgentsOptions& options_;
  const std::function<void(const AgentNews&)>& tell_;
  std::vector<Running> running_;
};

}  // namespace

std::vector<LocalAgent> local_agents_of(const Scenario& scenario) {
  std::vector<LocalAgent> agents;
  for (const NodeDataSpec& spec : scenario.training->nodes) {
    const std::string& nodes = scenario.node_sets[spec.nodes.pos()].name;
    for (int member = 1; member <= spec.members; ++member)
      agents.push_back({nodes + "-" + std::to_string(member), nodes, member});
  }
  return agents;
}

LocalAgents::LocalAgents(std::vector<LocalAgent> agents, LocalAgentsOptions options,
                         std::function<void(const AgentNews&)> tell) {
  make_folder_durably(options.folder);
  thread_ = std::jthread(
      [this, agents = std::move(agents), options = std::move(options),
       tell = std::move(tell)](std::stop_token stop) { supervise(stop, agents, options, tell); });
  std::unique_lock lock(mutex_);
  started_.wait(lock, [this] { return is_started_; });
  if (failure_) std::rethrow_exception(failure_);
}

LocalAgents::~LocalAgents() = default;

void LocalAgents::supervise(std::stop_token stop, const std::vector<LocalAgent>& agents,
                            const LocalAgentsOptions& options,
                            const std::function<void(const AgentNews&)>& tell) {
  Supervisor supervisor(agents, options, tell);
  {
    const std::lock_guard guard(mutex_);
    try {
      supervisor.start_all();
    } catch (...) {
      failure_ = std::current_exception();
    }
    is_started_ = true;
    started_.notify_all();
    if (failure_) return;
  }
  while (!stop.stop_requested()) {
    supervisor.look();
    std::this_thread::sleep_for(kBetweenLooks);
  }
  supervisor.end_all();
}

}  // namespace espalier
