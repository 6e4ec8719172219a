// SPDX-License-Identifier: Apache-2.0
// The agents of a run on one machine: one process for each member of each node set.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/scenario.h"
#include "core/units.h"

namespace espalier {

struct LocalAgent {
  std::string name;   // "gold-1"
  std::string nodes;  // "gold"
  int member = 1;
};

// In the order of the scenario. REQUIRES: it has `training`.
std::vector<LocalAgent> local_agents_of(const Scenario& scenario);

struct LocalAgentsOptions {
  std::filesystem::path program;   // espalier-trainer
  std::filesystem::path scenario;  // as it is run
  std::filesystem::path folder;    // for logs (NAME.log) and what agents keep; made if need be
  std::string address;             // of the orchestrator: HOST:PORT
  // The folder with what an agent proves its name with, as CertificateFolder::issue makes it.
  std::function<std::filesystem::path(const std::string& name)> certificates_of;
  // How often one that dies is started anew, and how long it must have lived for that to start
  // counting again.
  int restarts = 3;
  Seconds long_life{30};
  // How many may work at a time; 0: one per core.
  int working = 0;
};

// What a process said before it ended because of bad input.
struct AgentFault {
  std::string message;
  std::string hint;
};

struct AgentNews {
  std::string name;
  std::string what;       // "was killed by signal 9; started again"; empty: ended as it was told to
  bool is_final = false;  // it will not come back
  std::optional<AgentFault> fault{};
};

// Starts them all, and those that die again; ends them all when it is destroyed. If this process is
// killed they are too. Thread-safe.
class LocalAgents {
 public:
  // `tell` is called from another thread. Throws Error{RunFailed} where one cannot be started.
  LocalAgents(std::vector<LocalAgent> agents, LocalAgentsOptions options,
              std::function<void(const AgentNews&)> tell);
  ~LocalAgents();
  LocalAgents(const LocalAgents&) = delete;
  LocalAgents& operator=(const LocalAgents&) = delete;

 private:
  void supervise(std::stop_token stop, const std::vector<LocalAgent>& agents,
                 const LocalAgentsOptions& options,
                 const std::function<void(const AgentNews&)>& tell);

  std::mutex mutex_;
  std::condition_variable started_;
  bool is_started_ = false;  // these two guarded by mutex_
  std::exception_ptr failure_{};
  std::jthread thread_;  // starts all processes: the kernel kills them when it ends
};

}  // namespace espalier
