// SPDX-License-Identifier: Apache-2.0
#include "processes/spawn.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"

extern char** environ;

namespace espalier {
namespace {

class FileActions {
 public:
  explicit FileActions(const std::vector<SpawnFile>& files) {
    posix_spawn_file_actions_init(&actions_);
    for (const SpawnFile& file : files) add(file);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  void add(const SpawnFile& file) {
    if (file.path.empty())
      posix_spawn_file_actions_adddup2(&actions_, file.ours, file.descriptor);
    else
      posix_spawn_file_actions_addopen(&actions_, file.descriptor, file.path.c_str(), file.flags,
                                       file.mode);
  }

  posix_spawn_file_actions_t actions_{};
};

class Attributes {
 public:
  explicit Attributes(bool has_own_group) {
    posix_spawnattr_init(&attributes_);
    if (!has_own_group) return;
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
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

ProcessFate fate_of(int status) {
  if (WIFSIGNALED(status))
    return {128 + WTERMSIG(status), fmt::format("was killed by signal {}", WTERMSIG(status))};
  return {WEXITSTATUS(status), fmt::format("ended with exit code {}", WEXITSTATUS(status))};
}

}  // namespace

pid_t spawn(SpawnOrder order) {
  const FileActions files(order.files);
  const Attributes attributes(order.has_own_group);
  pid_t process = -1;
  const int error =
      ::posix_spawn(&process, order.words.front().c_str(), files.get(), attributes.get(),
                    pointers_to(order.words).data(),
                    order.variables.empty() ? environ : pointers_to(order.variables).data());
  if (error == 0) return process;
  throw Error(ErrorCode::RunFailed,
              fmt::format("'{}' could not be started: {}", order.words.front(),
                          std::generic_category().message(error)),
              order.hint);
}

std::vector<std::string> single_threaded_variables() {
  std::vector<std::string> all{"OMP_NUM_THREADS=1", "OMP_WAIT_POLICY=passive"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with("OMP_NUM_THREADS=") && !text.starts_with("OMP_WAIT_POLICY="))
      all.emplace_back(text);
  }
  return all;
}

std::optional<ProcessFate> fate_so_far(pid_t process) {
  int status = 0;
  if (::waitpid(process, &status, WNOHANG) != process) return std::nullopt;
  return fate_of(status);
}

ProcessFate wait_for_end(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return fate_of(status);
}

ProcessFate kill_and_wait(pid_t process) {
  ::kill(process, SIGKILL);
  return wait_for_end(process);
}

}  // namespace espalier
