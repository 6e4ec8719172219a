// SPDX-License-Identifier: Apache-2.0
// A run at a terminal, where somebody answers.
#pragma once

#include <pty.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "run_site.h"

namespace espalier {

// Killed when it is destroyed.
class AskedRun {
 public:
  AskedRun(const std::filesystem::path& folder, std::vector<std::string> words) {
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (pid_ != 0) return;
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    words.insert(words.begin(), ESPALIER_PROGRAM);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ~AskedRun() {
    ::close(terminal_);
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  AskedRun(const AskedRun&) = delete;
  AskedRun& operator=(const AskedRun&) = delete;

  // Waits until it has asked so often.
  bool has_asked(int times) {
    while (count_of("Proceed?") < times && listen()) continue;
    return count_of("Proceed?") == times;
  }
  void answer(const std::string& keys) const {
    EXPECT_EQ(::write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }
  // Exit code, or 128 + the signal that killed it.
  int wait() {
    while (listen()) continue;
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  const std::string& said() const { return said_; }

 private:
  bool listen() {
    char part[512];
    const ssize_t count = ::read(terminal_, part, sizeof part);
    if (count > 0) said_.append(part, static_cast<std::size_t>(count));
    return count > 0;
  }
  int count_of(const std::string& part) const {
    int count = 0;
    for (std::size_t at = said_.find(part); at != std::string::npos; at = said_.find(part, at + 1))
      ++count;
    return count;
  }

  pid_t pid_ = -1;
  int terminal_ = -1;
  std::string said_;
};

}  // namespace espalier
