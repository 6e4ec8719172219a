// SPDX-License-Identifier: Apache-2.0
#include "node/agent_process.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace espalier {
namespace {

constexpr mode_t kLogMode = 0600;

}  // namespace

AgentProcess::AgentProcess(const ProcessOrder& order)
    : process_(spawn({.words = order.words,
                      .files = {{.descriptor = STDOUT_FILENO,
                                 .path = order.log,
                                 .flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW,
                                 .mode = kLogMode},
                                {.descriptor = STDERR_FILENO, .ours = STDOUT_FILENO}},
                      .variables = single_threaded_variables(),
                      .has_own_group = true})) {}

AgentProcess::~AgentProcess() { end(); }

AgentProcess::AgentProcess(AgentProcess&& other) noexcept
    : process_(std::exchange(other.process_, -1)) {}

AgentProcess& AgentProcess::operator=(AgentProcess&& other) noexcept {
  if (this != &other) {
    end();
    process_ = std::exchange(other.process_, -1);
  }
  return *this;
}

void AgentProcess::ask_to_end() const {
  if (process_ > 0) ::kill(process_, SIGTERM);
}

std::optional<ProcessFate> AgentProcess::fate() {
  if (process_ < 0) return std::nullopt;
  auto fate = fate_so_far(process_);
  if (fate) process_ = -1;
  return fate;
}

void AgentProcess::end() {
  if (process_ >= 0) kill_and_wait(std::exchange(process_, -1));
}

}  // namespace espalier
