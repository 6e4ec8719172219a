// SPDX-License-Identifier: Apache-2.0
// A process that a test started.
#pragma once

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace espalier {

// A process with its output in a file. Killed when it is destroyed.
class Started {
 public:
  Started(const std::vector<std::string>& words, const std::vector<std::string>& environment,
          const std::filesystem::path& folder) {
    pid_ = ::fork();
    if (pid_ != 0) return;
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    for (const std::string& entry : environment) ::putenv(const_cast<char*>(entry.c_str()));
    redirect("/dev/null", STDIN_FILENO, O_RDONLY);
    redirect(".out", STDOUT_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(".err", STDERR_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  ~Started() {
    if (!status_) signal(SIGKILL);
    wait();
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  pid_t pid() const { return pid_; }
  void signal(int number) const { ::kill(pid_, number); }
  // Its exit code, or 128 + the signal that killed it.
  int wait() {
    if (!status_) {
      int status = 0;
      ::waitpid(pid_, &status, 0);
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return *status_;
  }
  bool is_over() {
    int status = 0;
    if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_)
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return status_.has_value();
  }

 private:
  static void redirect(const char* path, int descriptor, int flags) {
    const int file = ::open(path, flags, 0644);
    ::dup2(file, descriptor);
    ::close(file);
  }

  pid_t pid_ = -1;
  std::optional<int> status_;
};

}  // namespace espalier
