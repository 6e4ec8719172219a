// SPDX-License-Identifier: Apache-2.0
// The program of peer_main.cpp, started by a test.
#pragma once

#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace espalier {

// Killed in the end, if need be.
class Peer {
 public:
  // `before`: words in front of it, such as "ip netns exec NAME".
  explicit Peer(const std::vector<std::string>& words,
                const std::vector<std::string>& before = {}) {
    std::vector<std::string> all = before;
    all.emplace_back(NET_PEER);
    all.insert(all.end(), words.begin(), words.end());
    int to_peer[2];
    int from_peer[2];
    if (::pipe2(to_peer, O_CLOEXEC) != 0 || ::pipe2(from_peer, O_CLOEXEC) != 0)
      throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, to_peer[0], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, from_peer[1], STDOUT_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int failure =
        ::posix_spawnp(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(to_peer[0]);
    ::close(from_peer[1]);
    input_ = to_peer[1];
    output_ = from_peer[0];
    if (failure != 0) throw std::runtime_error("the peer could not be started");
  }
  ~Peer() {
    if (process_ > 0) {
      signal(SIGKILL);
      wait();
    }
    ::close(input_);
    ::close(output_);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  void signal(int number) const { ::kill(process_, number); }
  // Returns when none of its threads runs any more.
  void freeze() const {
    signal(SIGSTOP);
    ::waitpid(process_, nullptr, WUNTRACED);
  }

  // Its exit code; -1 where it was killed.
  int wait() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // What it says, without the end of the line; empty where it says nothing any more.
  std::string line() const {
    std::string text;
    for (char c = 0; ::read(output_, &c, 1) == 1 && c != '\n';) text += c;
    return text;
  }

 private:
  pid_t process_ = 0;
  int input_ = -1;
  int output_ = -1;
};

}  // namespace espalier
