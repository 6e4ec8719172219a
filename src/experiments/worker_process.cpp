// SPDX-License-Identifier: Apache-2.0
#include "experiments/worker_process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "experiments/serve_laboratory.h"

namespace espalier {
namespace {

// Several processes with one thread each train as fast as one with several, and threads that spin
// while they wait would take the cores away from each other.
constexpr const char* kOneThread = "OMP_NUM_THREADS=1";
constexpr const char* kNoSpinning = "OMP_WAIT_POLICY=passive";

std::vector<std::string> environment() {
  std::vector<std::string> all{kOneThread, kNoSpinning};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with("OMP_NUM_THREADS=") && !text.starts_with("OMP_WAIT_POLICY="))
      all.emplace_back(text);
  }
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

// What the new process finds open: no input, our standard error twice, its socket.
class Files {
 public:
  explicit Files(int socket) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, socket, kTrainerSocket);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, STDERR_FILENO, STDOUT_FILENO);
  }
  ~Files() { posix_spawn_file_actions_destroy(&actions_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

WorkerProcess::WorkerProcess(const std::filesystem::path& program,
                             const std::filesystem::path& folder) {
  SocketPair pair = make_socket_pair();
  socket_ = std::move(pair.ours);
  start(program, folder, pair.theirs.descriptor());
}

void WorkerProcess::start(const std::filesystem::path& program, const std::filesystem::path& folder,
                          int their_socket) {
  std::vector<std::string> words{program.string(), folder.string()};
  std::vector<std::string> variables = environment();
  const Files files(their_socket);
  const int error = ::posix_spawn(&process_, program.c_str(), files.actions(), nullptr,
                                  pointers(words).data(), pointers(variables).data());
  if (error == 0) return;
  process_ = -1;
  throw Error(ErrorCode::RunFailed,
              fmt::format("'{}' could not be started: {}", program.string(),
                          std::generic_category().message(error)),
              "use fewer --workers, or check --trainer");
}

WorkerProcess::~WorkerProcess() { end(); }

void WorkerProcess::end() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

// Its status, once it has ended.
std::optional<int> WorkerProcess::wait_a_moment() const {
  for (int i = 0; i < 100; ++i) {
    int status = 0;
    if (::waitpid(process_, &status, WNOHANG) == process_) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return std::nullopt;
}

std::string WorkerProcess::fate() {
  const auto status = wait_a_moment();
  if (!status) {
    end();
    return "no longer answered";
  }
  process_ = -1;
  if (WIFSIGNALED(*status)) return fmt::format("was killed by signal {}", WTERMSIG(*status));
  return fmt::format("ended with exit code {}", WEXITSTATUS(*status));
}

}  // namespace espalier
