// SPDX-License-Identifier: Apache-2.0
#include "node/agent_process.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace espalier {
namespace {

constexpr int kLogMode = 0600;

// Several processes with one thread each train as fast as one with several; threads that spin while
// they wait would take the cores away from each other.
std::vector<std::string> agent_environment() {
  std::vector<std::string> all{"OMP_NUM_THREADS=1", "OMP_WAIT_POLICY=passive"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with("OMP_NUM_THREADS=") && !text.starts_with("OMP_WAIT_POLICY="))
      all.emplace_back(text);
  }
  return all;
}

std::vector<char*> words_as_pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

// No input, the log as both outputs, default signals, and a group of its own: Ctrl-C is for whoever
// started it to handle.
class SpawnRules {
 public:
  explicit SpawnRules(const std::filesystem::path& log) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, kLogMode);
    posix_spawn_file_actions_adddup2(&files_, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnRules() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnRules(const SpawnRules&) = delete;
  SpawnRules& operator=(const SpawnRules&) = delete;

  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

AgentProcess::Fate fate_of(int status) {
  if (WIFSIGNALED(status))
    return {128 + WTERMSIG(status), fmt::format("was killed by signal {}", WTERMSIG(status))};
  return {WEXITSTATUS(status), fmt::format("ended with exit code {}", WEXITSTATUS(status))};
}

}  // namespace

AgentProcess::AgentProcess(const ProcessOrder& order) {
  std::vector<std::string> words = order.words;
  std::vector<std::string> variables = agent_environment();
  const SpawnRules rules(order.log);
  const int error =
      ::posix_spawn(&process_, words.front().c_str(), rules.files(), rules.attributes(),
                    words_as_pointers(words).data(), words_as_pointers(variables).data());
  if (error == 0) return;
  process_ = -1;
  throw Error(ErrorCode::RunFailed, fmt::format("'{}' could not be started: {}", words.front(),
                                                std::generic_category().message(error)));
}

AgentProcess::~AgentProcess() { kill_and_wait(); }

AgentProcess::AgentProcess(AgentProcess&& other) noexcept
    : process_(std::exchange(other.process_, -1)) {}

AgentProcess& AgentProcess::operator=(AgentProcess&& other) noexcept {
  if (this != &other) {
    kill_and_wait();
    process_ = std::exchange(other.process_, -1);
  }
  return *this;
}

void AgentProcess::ask_to_end() const {
  if (process_ > 0) ::kill(process_, SIGTERM);
}

std::optional<AgentProcess::Fate> AgentProcess::fate() {
  int status = 0;
  if (process_ < 0 || ::waitpid(process_, &status, WNOHANG) != process_) return std::nullopt;
  process_ = -1;
  return fate_of(status);
}

void AgentProcess::kill_and_wait() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

}  // namespace espalier
