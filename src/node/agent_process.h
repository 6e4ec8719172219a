// SPDX-License-Identifier: Apache-2.0
// A program that runs beside this one, and no longer than it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "processes/spawn.h"

namespace espalier {

struct ProcessOrder {
  std::vector<std::string> words;  // the program's path first
  std::filesystem::path log;       // both its outputs are added to this file
};

// Killed when it is destroyed. Owned by one thread, that which made it: what it starts may ask the
// kernel to be killed when that thread ends.
class AgentProcess {
 public:
  // With one thread for its arithmetic, which sleeps while it waits. Nothing of ours stays open in
  // it. Throws Error{RunFailed}.
  explicit AgentProcess(const ProcessOrder& order);
  ~AgentProcess();
  AgentProcess(AgentProcess&& other) noexcept;
  AgentProcess& operator=(AgentProcess&& other) noexcept;

  pid_t id() const { return process_; }
  void ask_to_end() const;
  // How it ended. Nothing while it runs.
  std::optional<ProcessFate> fate();

 private:
  void end();

  pid_t process_ = -1;
};

}  // namespace espalier
