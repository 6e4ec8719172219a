// SPDX-License-Identifier: Apache-2.0
// A trainer as its collector sees it: a process at the other end of a socket.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

#include "experiments/line_socket.h"
#include "processes/spawn.h"

namespace espalier {

// Killed when it is destroyed. Owned by one thread, that which made it.
class WorkerProcess {
 public:
  // Starts `program FOLDER` with one thread for its arithmetic, and nothing of ours but standard
  // error and its end of the socket. Throws Error{RunFailed}.
  WorkerProcess(const std::filesystem::path& program, const std::filesystem::path& folder);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  LineSocket& socket() { return socket_; }
  // For one that has closed its socket: how it ended, as in "was killed by signal 9". Waits a
  // moment for that, then kills it.
  std::string fate();

 private:
  std::optional<ProcessFate> wait_a_moment() const;

  LineSocket socket_{-1};
  pid_t process_ = -1;
};

}  // namespace espalier
