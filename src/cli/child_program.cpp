// SPDX-License-Identifier: Apache-2.0
#include "cli/child_program.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"

extern char** environ;

namespace espalier {
namespace {

constexpr mode_t kAnswerMode = 0644;

// Default signals, and a group of its own: Ctrl-C comes to us, and we hand it on once.
class ChildRules {
 public:
  explicit ChildRules(const std::filesystem::path& answer) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, answer.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, kAnswerMode);
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
  ~ChildRules() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  ChildRules(const ChildRules&) = delete;
  ChildRules& operator=(const ChildRules&) = delete;

  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

pid_t start_child(const ChildOrder& order) {
  std::string path = order.program.string();
  std::vector<std::string> words = order.words;
  std::vector<char*> pointers{path.data()};
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const ChildRules rules(order.answer);
  pid_t child = -1;
  const int error = ::posix_spawn(&child, path.c_str(), rules.files(), rules.attributes(),
                                  pointers.data(), environ);
  if (error == 0) return child;
  throw Error(ErrorCode::RunFailed, fmt::format("'{}' could not be started: {}", path,
                                                std::generic_category().message(error)));
}

}  // namespace

int run_to_end(const ChildOrder& order, const std::stop_token& stop) {
  const pid_t child = start_child(order);
  const std::stop_callback interrupt(stop, [child] { ::kill(child, SIGINT); });
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace espalier
