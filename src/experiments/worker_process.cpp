// SPDX-License-Identifier: Apache-2.0
#include "experiments/worker_process.h"

#include <chrono>
#include <thread>
#include <unistd.h>
#include <utility>

#include "experiments/serve_laboratory.h"

namespace espalier {

WorkerProcess::WorkerProcess(const std::filesystem::path& program,
                             const std::filesystem::path& folder) {
  SocketPair pair = make_socket_pair();
  socket_ = std::move(pair.ours);
  process_ = spawn({.words = {program.string(), folder.string()},
                    .files = {{.descriptor = kTrainerSocket, .ours = pair.theirs.descriptor()},
                              {.descriptor = STDOUT_FILENO, .ours = STDERR_FILENO}},
                    .variables = single_threaded_variables(),
                    .hint = "use fewer --workers, or check --trainer"});
}

WorkerProcess::~WorkerProcess() {
  if (process_ >= 0) kill_and_wait(process_);
}

// How it ended, once it has.
std::optional<ProcessFate> WorkerProcess::wait_a_moment() const {
  for (int i = 0; i < 100; ++i) {
    if (const auto fate = fate_so_far(process_)) return fate;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return std::nullopt;
}

std::string WorkerProcess::fate() {
  const auto fate = wait_a_moment();
  if (!fate) kill_and_wait(process_);
  process_ = -1;
  return fate ? fate->words : "no longer answered";
}

}  // namespace espalier
