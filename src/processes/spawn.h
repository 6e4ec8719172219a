// SPDX-License-Identifier: Apache-2.0
// Other programs, started and waited for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace espalier {

// A file of the new program's: opened for it, or one that we have open.
struct SpawnFile {
  int descriptor = -1;           // there
  std::filesystem::path path{};  // empty: `ours`
  int flags = 0;                 // of open(2)
  mode_t mode = 0;
  int ours = -1;
};

struct SpawnOrder {
  std::vector<std::string> words{};      // the program's path first
  std::vector<SpawnFile> files{};        // one after the other; it has no input in any case
  std::vector<std::string> variables{};  // "NAME=value"; empty: ours
  // Ctrl-C does not get there: it comes to us, who hand it on or do not. Signals are as usual.
  bool has_own_group = false;
  std::string hint{};  // what to do if it cannot be started
};

// Throws Error{RunFailed}.
pid_t spawn(SpawnOrder order);

// Our variables, for a program with one thread for its arithmetic, which sleeps while it waits:
// several processes with one thread each train as fast as one with several, and threads that spin
// would take the cores away from each other.
std::vector<std::string> single_threaded_variables();

// How a process ended.
struct ProcessFate {
  int exit_code = 0;  // 128 + signal where it was killed
  std::string words;  // "was killed by signal 9"
};

// Nothing while it runs. REQUIRES: a child of ours that was not waited for.
std::optional<ProcessFate> fate_so_far(pid_t process);
ProcessFate wait_for_end(pid_t process);
ProcessFate kill_and_wait(pid_t process);

}  // namespace espalier
